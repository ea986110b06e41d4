#include <curl/curl.h>

// curl's functions that take any kind of argument are not imported: one for each kind.

static inline CURLcode flowplayer_curl_set_number(CURL *transfer, CURLoption option, long value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode flowplayer_curl_set_text(CURL *transfer, CURLoption option, const char *value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode flowplayer_curl_set_buffer(CURL *transfer, CURLoption option, char *value) {
    return curl_easy_setopt(transfer, option, value);
}

static inline CURLcode flowplayer_curl_set_write(CURL *transfer, curl_write_callback write, void *context) {
    CURLcode code = curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, write);
    return code ? code : curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
}

static inline CURLcode flowplayer_curl_get_number(CURL *transfer, CURLINFO info, long *value) {
    return curl_easy_getinfo(transfer, info, value);
}

static inline CURLcode flowplayer_curl_set_list(CURL *transfer, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(transfer, option, value);
}
