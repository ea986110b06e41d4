// libcurl, which is loaded with the first call: see curl.c. The header is absent where the package is built without VLC.
#if __has_include(<curl/curl.h>)
#include <curl/curl.h>

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
#endif
