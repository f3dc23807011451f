#ifndef SLUICE_CREPORTPAGE_H
#define SLUICE_CREPORTPAGE_H

#include <stddef.h>

// The style and the program of the HTML report.
struct report_page_file {
  const unsigned char *bytes;
  size_t size;
};

struct report_page_file report_page_style(void);
struct report_page_file report_page_program(void);

#endif
