#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>

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

// Cookies for several transfers, on whatever threads.

typedef struct {
    CURLSH *share;
    pthread_mutex_t locks[CURL_LOCK_DATA_LAST];
} flowplayer_curl_jar;

static inline void flowplayer_curl_jar_lock(CURL *transfer, curl_lock_data part, curl_lock_access access, void *jar) {
    pthread_mutex_lock(&((flowplayer_curl_jar *)jar)->locks[part]);
}

static inline void flowplayer_curl_jar_unlock(CURL *transfer, curl_lock_data part, void *jar) {
    pthread_mutex_unlock(&((flowplayer_curl_jar *)jar)->locks[part]);
}

static inline flowplayer_curl_jar *flowplayer_curl_jar_make(void) {
    flowplayer_curl_jar *jar = malloc(sizeof *jar);
    if (!jar) return NULL;
    for (int part = 0; part < CURL_LOCK_DATA_LAST; part++) pthread_mutex_init(&jar->locks[part], NULL);
    jar->share = curl_share_init();
    curl_share_setopt(jar->share, CURLSHOPT_LOCKFUNC, flowplayer_curl_jar_lock);
    curl_share_setopt(jar->share, CURLSHOPT_UNLOCKFUNC, flowplayer_curl_jar_unlock);
    curl_share_setopt(jar->share, CURLSHOPT_USERDATA, jar);
    curl_share_setopt(jar->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
    return jar;
}

static inline void flowplayer_curl_jar_free(flowplayer_curl_jar *jar) {
    if (!jar) return;
    curl_share_cleanup(jar->share);
    for (int part = 0; part < CURL_LOCK_DATA_LAST; part++) pthread_mutex_destroy(&jar->locks[part]);
    free(jar);
}

static inline void flowplayer_curl_jar_join(flowplayer_curl_jar *jar, CURL *transfer) {
    // Without a file of them, but with cookies.
    curl_easy_setopt(transfer, CURLOPT_COOKIEFILE, "");
    if (jar) curl_easy_setopt(transfer, CURLOPT_SHARE, jar->share);
}
