#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
