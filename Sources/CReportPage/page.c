// The style and the script of the HTML pages, embedded in the library. So a report is a single file, and Sluice needs no other files.

#include "CReportPage.h"

#ifndef __has_embed
#error "This compiler does not know #embed; the one of Swift 6.2 does."
#endif
// #embed is C23. clang supports it in all versions of C, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Rules in later files override those in earlier files. A comma joins two files.
static const unsigned char style[] = {
#embed "Files/style/tokens.css"
,
#embed "Files/style/base.css"
,
#embed "Files/style/plots.css"
,
#embed "Files/style/run.css"
,
#embed "Files/style/answers.css"
,
#embed "Files/style/case.css"
,
#embed "Files/style/compare.css"
,
#embed "Files/style/history.css"
,
#embed "Files/style/health.css"
,
#embed "Files/style/narrow.css"
,
#embed "Files/style/print.css"
};

static const unsigned char program[] = {
#embed "Files/program/text.js"
,
#embed "Files/program/json.js"
,
#embed "Files/program/difference.js"
,
#embed "Files/program/address.js"
,
#embed "Files/program/marks.js"
,
#embed "Files/program/data.js"
,
#embed "Files/program/filter.js"
,
#embed "Files/program/cells.js"
,
#embed "Files/program/elements.js"
,
#embed "Files/program/theme.js"
,
#embed "Files/program/grid.js"
,
#embed "Files/program/case.js"
,
#embed "Files/program/main.js"
};

struct report_page_file report_page_style(void) { return (struct report_page_file){style, sizeof style}; }
struct report_page_file report_page_program(void) { return (struct report_page_file){program, sizeof program}; }
