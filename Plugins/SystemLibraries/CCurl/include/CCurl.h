// The part of libcurl's interface that the package uses. libcurl is loaded with the first call: see curl.c. Its numbers and structures
// never change (https://curl.se/libcurl/abi.html), so the package builds without libcurl's headers.
#include <stddef.h>
#include <sys/socket.h>

typedef void CURL;
typedef void CURLM;
typedef void CURLSH;
typedef int curl_socket_t;

typedef enum {
    CURLE_OK = 0, CURLE_UNSUPPORTED_PROTOCOL = 1, CURLE_COULDNT_RESOLVE_PROXY = 5, CURLE_COULDNT_RESOLVE_HOST = 6,
    CURLE_COULDNT_CONNECT = 7, CURLE_WEIRD_SERVER_REPLY = 8, CURLE_HTTP2 = 16, CURLE_PARTIAL_FILE = 18,
    CURLE_READ_ERROR = 26, CURLE_OPERATION_TIMEDOUT = 28, CURLE_SSL_CONNECT_ERROR = 35,
    CURLE_FILE_COULDNT_READ_FILE = 37, CURLE_GOT_NOTHING = 52, CURLE_SEND_ERROR = 55, CURLE_RECV_ERROR = 56,
    CURLE_SSL_CERTPROBLEM = 58, CURLE_SSL_CIPHER = 59, CURLE_PEER_FAILED_VERIFICATION = 60,
    CURLE_BAD_CONTENT_ENCODING = 61, CURLE_USE_SSL_FAILED = 64, CURLE_SSL_CACERT_BADFILE = 77,
    CURLE_SSL_ISSUER_ERROR = 83, CURLE_SSL_INVALIDCERTSTATUS = 91, CURLE_HTTP2_STREAM = 92,
} CURLcode;

typedef enum {
    CURLOPT_URL = 10002, CURLOPT_PROTOCOLS_STR = 10318, CURLOPT_USERAGENT = 10018, CURLOPT_RANGE = 10007,
    CURLOPT_COOKIEFILE = 10031, CURLOPT_COOKIE = 10022, CURLOPT_FOLLOWLOCATION = 52, CURLOPT_NOSIGNAL = 99,
    CURLOPT_TCP_KEEPALIVE = 213, CURLOPT_BUFFERSIZE = 98, CURLOPT_HTTPAUTH = 107, CURLOPT_PIPEWAIT = 237,
    CURLOPT_ERRORBUFFER = 10010, CURLOPT_HTTP200ALIASES = 10104, CURLOPT_SHARE = 10100, CURLOPT_HTTPHEADER = 10023,
    CURLOPT_WRITEFUNCTION = 20011, CURLOPT_WRITEDATA = 10001, CURLOPT_RESOLVE = 10203,
    CURLOPT_OPENSOCKETFUNCTION = 20163, CURLOPT_OPENSOCKETDATA = 10164, CURLOPT_SOCKOPTFUNCTION = 20148,
    CURLOPT_PROXY = 10004, CURLOPT_CONNECT_ONLY = 141, CURLOPT_CONNECTTIMEOUT_MS = 156,
    CURLOPT_ACCEPT_ENCODING = 10102,
} CURLoption;

typedef enum {
    CURLINFO_RESPONSE_CODE = 2097154, CURLINFO_OS_ERRNO = 2097177, CURLINFO_HTTP_VERSION = 2097198,
    CURLINFO_ACTIVESOCKET = 5242924,
} CURLINFO;

typedef enum { CURLMSG_DONE = 1 } CURLMSG;
typedef enum { CURLMOPT_MAXCONNECTS = 6 } CURLMoption;
typedef enum { CURLSHOPT_SHARE = 1 } CURLSHoption;
typedef enum { CURL_LOCK_DATA_COOKIE = 2, CURL_LOCK_DATA_SSL_SESSION = 4 } curl_lock_data;
typedef int CURLMcode;
typedef int CURLSHcode;
typedef int CURLHcode;

#define CURL_ERROR_SIZE 256
#define CURL_GLOBAL_DEFAULT 3
#define CURL_HTTP_VERSION_2_0 3
#define CURL_SOCKET_BAD -1
#define CURL_WRITEFUNC_PAUSE 0x10000001
#define CURLH_HEADER 1
#define CURLHE_OK 0
#define CURLPAUSE_CONT 0

struct curl_slist {
    char *data;
    struct curl_slist *next;
};

struct curl_header {
    char *name;
    char *value;
    size_t amount;
    size_t index;
    unsigned int origin;
    void *anchor;
};

struct curl_sockaddr {
    int family;
    int socktype;
    int protocol;
    unsigned int addrlen;
    struct sockaddr addr;
};

typedef struct {
    CURLMSG msg;
    CURL *easy_handle;
    union {
        void *whatever;
        CURLcode result;
    } data;
} CURLMsg;

typedef size_t (*curl_write_callback)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*curl_opensocket_callback)(void *context, int purpose, struct curl_sockaddr *address);
typedef int (*curl_sockopt_callback)(void *context, curl_socket_t socket, int purpose);

CURLcode curl_global_init(long flags);

CURL *curl_easy_init(void);
CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...);
CURLcode curl_easy_perform(CURL *easy);
CURLcode curl_easy_pause(CURL *easy, int bits);
CURLcode curl_easy_getinfo(CURL *easy, CURLINFO info, ...);
CURLHcode curl_easy_header(
    CURL *easy, const char *name, size_t index, unsigned int origin, int request, struct curl_header **header);
const char *curl_easy_strerror(CURLcode code);
void curl_easy_cleanup(CURL *easy);

CURLM *curl_multi_init(void);
CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...);
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode curl_multi_perform(CURLM *multi, int *running);
CURLMcode curl_multi_poll(CURLM *multi, void *descriptors, unsigned int count, int timeout, int *ready);
CURLMcode curl_multi_wakeup(CURLM *multi);
CURLMsg *curl_multi_info_read(CURLM *multi, int *left);

CURLSH *curl_share_init(void);
CURLSHcode curl_share_setopt(CURLSH *share, CURLSHoption option, ...);
CURLSHcode curl_share_cleanup(CURLSH *share);

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text);
void curl_slist_free_all(struct curl_slist *list);

// Swift does not import variadic functions. Each function below sets or reads one type of value.

static inline CURLcode flowplayer_curl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode flowplayer_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode flowplayer_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode flowplayer_curl_set_write(CURL *easy, curl_write_callback write, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, write);
    return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

/// libcurl receives its sockets, connected, from `open`.
static inline CURLcode flowplayer_curl_set_sockets(
    CURL *easy, curl_opensocket_callback open, curl_sockopt_callback prepare, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
    return code ? code : curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, prepare);
}

static inline CURLcode flowplayer_curl_get_socket(CURL *easy, curl_socket_t *value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLcode flowplayer_curl_get_number(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode flowplayer_curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode flowplayer_curl_share(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}
