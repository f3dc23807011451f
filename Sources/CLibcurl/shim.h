#ifndef SLUICE_CLIBCURL_SHIM_H
#define SLUICE_CLIBCURL_SHIM_H

#include <curl/curl.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift cannot
// call: one inline function for each class of argument.

typedef size_t (*sluice_curl_data_function)(char *, size_t, size_t, void *);

static inline CURLcode sluice_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode sluice_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode sluice_curl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode sluice_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode sluice_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode sluice_curl_set_function(CURL *handle, CURLoption option, sluice_curl_data_function value) {
  return curl_easy_setopt(handle, option, value);
}

// Called on an open connection each time before curl sends a request.
typedef int (*sluice_curl_before_sending)(void *, char *, char *, int, int);

static inline CURLcode sluice_curl_set_before_sending(CURL *handle, sluice_curl_before_sending function) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode sluice_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode sluice_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode sluice_curl_get_pointer(CURL *handle, CURLINFO info, void **value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode sluice_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
  return curl_multi_setopt(handle, option, value);
}

// The functions that curl calls about sockets and timers, and what they are handed.
static inline CURLMcode sluice_curl_multi_set_callbacks(
    CURLM *handle, curl_socket_callback about_socket, curl_multi_timer_callback about_timer, void *context) {
  CURLMcode code = curl_multi_setopt(handle, CURLMOPT_SOCKETFUNCTION, about_socket);
  if (code == CURLM_OK) code = curl_multi_setopt(handle, CURLMOPT_SOCKETDATA, context);
  if (code == CURLM_OK) code = curl_multi_setopt(handle, CURLMOPT_TIMERFUNCTION, about_timer);
  if (code == CURLM_OK) code = curl_multi_setopt(handle, CURLMOPT_TIMERDATA, context);
  return code;
}

// CURLVERSION_NOW is a macro that Swift does not see.
static inline const curl_version_info_data *sluice_curl_version(void) {
  return curl_version_info(CURLVERSION_NOW);
}

#endif
