// The style and the program of the HTML report, inside of the library, so that a report is one file made by one program.

#include "CReportPage.h"

#ifndef __has_embed
#error "This compiler does not know #embed; the one of Swift 6.2 does."
#endif
// It is C23, which clang offers in every C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style[] = {
#embed "Files/page.css"
};
static const unsigned char program[] = {
#embed "Files/page.js"
};

struct report_page_file report_page_style(void) { return (struct report_page_file){style, sizeof style}; }
struct report_page_file report_page_program(void) { return (struct report_page_file){program, sizeof program}; }
