/// A report as one HTML file: no network, nothing beside it, and nothing runs in it but our program.
struct HTMLPage {
  var title: String
  var kind: String
  var noun: String
  /// All that stands above the sections.
  var head: String
  var sections: [Section]
  var suites: [HTMLSuite]
  var paging: HTMLPaging
  /// Which page it is, from 0.
  var number = 0
  /// The name of the file of the first page, without `.html`.
  var base: String

  /// A part of the page that can be gone to.
  struct Section {
    var id: String
    var title: String
    var body: String
  }

  /// Writes the page; the trials, of which there may be many, one after the other.
  func write(to sink: inout FileSink) throws(FileError) {
    let (style, program) = (PageFiles.style, PageFiles.program)
    func allowed(_ text: [UInt8]) -> String {
      "'sha256-\(Base64.encode(SHA256.digest(text).bytes))'"
    }
    let policy =
      "default-src 'none'; style-src \(allowed(style)); script-src \(allowed(program)); "
      + "base-uri 'none'; form-action 'none'"
    sink.buffer +=
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="sluice \(Version.current)">
      <title>\(HTMLText.escaped(title))</title>
      <style>
      """.utf8
    sink.buffer += style
    sink.buffer +=
      """
      </style>
      </head>
      <body>
      <a class="skip" href="#cases">Skip to the cases</a>
      \(HTMLPlot.patterns)\(head)
      <nav class="bar" aria-label="Parts of the report"><div class="wrap"><ul class="places">\(places)</ul></div></nav>
      <main class="wrap">

      """.utf8
    for section in sections { sink.buffer += self.section(section).utf8 }
    sink.buffer += casesSection.utf8
    sink.buffer += "</main>\n\(dialog)\n<script type=\"application/json\" id=\"trials\">".utf8
    var trials = HTMLTrials(suites, paging)
    try trials.write(page: number, to: &sink)
    sink.buffer += "</script>\n<script type=\"application/json\" id=\"data\">".utf8
    let next = number + 1 < paging.count ? HTMLPaging.fileName(number + 1, of: base) : nil
    try trials.writeShared(kind: kind, noun: noun, next: next, to: &sink)
    sink.buffer += "</script>\n".utf8
    sink.buffer += "<script>".utf8
    sink.buffer += program
    sink.buffer += "</script>\n</body>\n</html>\n".utf8
    try sink.spill()
  }

  private var places: String {
    (sections.map { ($0.id, $0.title) } + [("cases", "Cases")])
      .map { "<li><a href=\"#\($0.0)\">\(HTMLText.escaped($0.1))</a></li>" }.joined()
  }

  private func section(_ section: Section) -> String {
    """
    <section id="\(section.id)" aria-labelledby="\(section.id)-title">
    <h2 id="\(section.id)-title">\(HTMLText.escaped(section.title))</h2>
    \(section.body)
    </section>

    """
  }

  /// Where the other pages are, and what stands on them; nothing where there is one.
  private var pages: String {
    if paging.count == 1 { return "" }
    let links = (0..<paging.count).map { page in
      let current = page == number ? " aria-current=\"page\"" : ""
      let name = HTMLText.escaped(HTMLPaging.fileName(page, of: base))
      return "<li><a href=\"\(name)#cases\" data-page\(current)>\(page + 1)</a></li>"
    }
    let left = paging.all - paging.paged
    let place = kind == "run" ? "report.csv and report.json" : "the run logs"
    let rest = left == 0 ? "" : " \(left) of the others are in \(place) alone."
    return """
      <nav class="pages" aria-label="Pages of cases"><ul class="places">\(links.joined())</ul></nav>
      <p class="small quiet">\(paging.paged) \(noun)s stand on \(paging.count) pages: first the cases of which any failed, was lost or \
      changed, then the others.\(rest) Search and counts are about this page.</p>

      """
  }

  private var casesSection: String {
    """
    <section id="cases" aria-labelledby="cases-title">
    <h2 id="cases-title">Cases\(number > 0 ? ", page \(number + 1)" : "")</h2>
    \(pages)\
    <noscript><p>The table of cases needs JavaScript, which this page brings along and which was not run. \
    report.md and report.csv show the cases without it.</p></noscript>
    <div id="tools" hidden>
    <div class="tools">
    <div><label for="search">Search: every word must occur (/)</label>
    <input type="search" id="search" autocomplete="off" spellcheck="false"></div>
    <p id="shown" class="num" role="status" aria-live="polite"></p>
    <button type="button" id="clear">Clear all</button>
    <button type="button" id="show-hidden" hidden></button>
    </div>
    <div id="chips" role="group" aria-label="Filters"></div>
    <div id="rows" class="rows" role="region" aria-label="Table of cases" tabindex="-1">
    <table id="case-table"><thead><tr>\(Self.columns)</tr></thead>
    <tbody id="row-list"></tbody></table></div>
    <div id="none" class="nothing-left" hidden><p id="none-text"></p></div>
    <p class="small quiet">Arrow keys go from case to case, Enter opens one, Escape closes it.</p>
    </div>
    </section>

    """
  }

  private static let columns = [
    ("outcome", "Outcome", ""), ("case", "Case", ""), ("column", "Of", ""),
    ("answer", "What went wrong, or the answer", ""), ("latency", "Latency", " num"),
    ("tokens", "Tokens", " num"), ("cost", "Cost", " num"),
  ].map { key, title, kind in
    "<th scope=\"col\" class=\"c-\(key)\(kind)\" aria-sort=\"none\"><button type=\"button\" "
      + "data-sort=\"\(key)\">\(title)<span class=\"arrow\" aria-hidden=\"true\"></span></button></th>"
  }.joined()

  private let dialog = """
    <dialog id="case" aria-labelledby="case-title">
    <div class="case-head"><h2 id="case-title" tabindex="-1"></h2><span id="case-place" class="quiet num"></span>
    <div><button type="button" id="previous">Previous</button> <button type="button" id="next">Next</button>
    <button type="button" id="copy">Copy link</button> <button type="button" id="hide">Hide</button>
    <button type="button" id="close">Close</button></div></div>
    <div class="case-body" id="case-body"></div>
    </dialog>
    <div id="note" class="note" role="status" hidden><span id="note-text"></span>
    <button type="button" id="undo" hidden>Undo</button></div>
    """

  /// The heading of a page: the verdict, its reason, who answered, and the choice of light and dark.
  static func head(_ title: String, reason: String, notes: [String], warnings: [String]) -> String {
    var text = """
      <header class="top"><div class="wrap"><div class="top-row">
      <h1 class="verdict">\(title)</h1>
      <div class="group" role="group" aria-label="Light or dark">
      <button type="button" data-set-theme="system" aria-pressed="true">System</button>
      <button type="button" data-set-theme="light" aria-pressed="false">Light</button>
      <button type="button" data-set-theme="dark" aria-pressed="false">Dark</button></div></div>
      <p class="reason">\(HTMLText.escaped(reason))</p>

      """
    for warning in warnings { text += "<p class=\"warning\">\(HTMLText.escaped(warning))</p>\n" }
    for note in notes { text += "<p class=\"quiet small\">\(HTMLText.escaped(note))</p>\n" }
    return text + "</div></header>"
  }
}
