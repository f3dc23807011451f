// The minimal program over libcurl: posts each line of a file, with several requests in flight, and keeps the answers.
//
//   cc -O2 -o bare-requests bare-requests.c -lcurl
//   bare-requests URL FILE IN_FLIGHT
//
// It uses one thread, curl's multi interface, HTTP/1.1 and persistent connections. It prints the numbers of requests,
// failures and received bytes.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char *bytes;
  size_t count, room;
} Buffer;

static size_t receive(char *bytes, size_t size, size_t count, void *to) {
  Buffer *buffer = to;
  size_t more = size * count;
  if (buffer->count + more > buffer->room) {
    buffer->room = 2 * (buffer->count + more);
    buffer->bytes = realloc(buffer->bytes, buffer->room);
    if (!buffer->bytes) return 0;
  }
  memcpy(buffer->bytes + buffer->count, bytes, more);
  buffer->count += more;
  return more;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: bare-requests URL FILE IN_FLIGHT\n");
    return 64;
  }
  FILE *file = fopen(argv[2], "rb");
  if (!file) {
    perror(argv[2]);
    return 70;
  }
  Buffer all = {0};
  char piece[65536];
  size_t read;
  while ((read = fread(piece, 1, sizeof piece, file)) > 0) receive(piece, 1, read, &all);
  fclose(file);
  char *next = all.bytes, *end = all.bytes + all.count;

  curl_global_init(CURL_GLOBAL_ALL);
  CURLM *multi = curl_multi_init();
  int limit = atoi(argv[3]);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)limit);
  struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
  headers = curl_slist_append(headers, "Accept: application/json");
  headers = curl_slist_append(headers, "Expect:");
  Buffer *answers = calloc(limit, sizeof *answers);
  long requests = 0, failures = 0, received = 0;
  int under_way = 0;

  // Start one request per handle. When it ends, the handle sends the next request.
  for (int index = 0; index < limit && next < end; index++) {
    CURL *handle = curl_easy_init();
    curl_easy_setopt(handle, CURLOPT_URL, argv[1]);
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, 60000L);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &answers[index]);
    curl_easy_setopt(handle, CURLOPT_PRIVATE, &answers[index]);
    char *line = memchr(next, '\n', end - next);
    if (!line) line = end;
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, next);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, (long)(line - next));
    next = line + 1;
    curl_multi_add_handle(multi, handle);
    under_way++;
  }
  while (under_way > 0) {
    int running, left;
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL *handle = message->easy_handle;
      CURLcode code = message->data.result;
      long status = 0;
      Buffer *answer = NULL;
      curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
      curl_easy_getinfo(handle, CURLINFO_PRIVATE, &answer);
      requests++;
      if (code != CURLE_OK || status != 200) failures++;
      received += answer->count;
      answer->count = 0;
      curl_multi_remove_handle(multi, handle);
      if (next < end) {
        char *line = memchr(next, '\n', end - next);
        if (!line) line = end;
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, next);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, (long)(line - next));
        next = line + 1;
        curl_multi_add_handle(multi, handle);
      } else {
        curl_easy_cleanup(handle);
        under_way--;
      }
    }
    if (under_way > 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  printf("%ld requests, %ld failures, %ld bytes\n", requests, failures, received);
  return failures == 0 ? 0 : 1;
}
