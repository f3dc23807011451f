/// A report as one HTML file: no network, nothing beside it, and nothing runs in it but our program.
struct HTMLPage {
  var title: String
  /// All that stands above the sections.
  var head: String
  var sections: [Section]
  /// What the table of cases has; nil for a page without one.
  var cases: Cases?

  /// A part of the page that can be gone to.
  struct Section {
    var id: String
    var title: String
    var body: String
  }

  /// Trials, each of which can be found and looked at.
  struct Cases {
    /// What tells the program of the page how to group them.
    var kind: String
    /// What one of them is called.
    var noun: String
    var suites: [HTMLSuite]
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
      \(skip)
      \(HTMLPlot.patterns)\(head)
      <nav class="bar" aria-label="Parts of the report"><div class="wrap"><ul class="places">\(places)</ul></div></nav>
      <main class="wrap">

      """.utf8
    for section in sections { sink.buffer += self.section(section).utf8 }
    if let cases { try write(cases, to: &sink) } else { sink.buffer += "</main>\n".utf8 }
    sink.buffer += "<script>".utf8
    sink.buffer += program
    sink.buffer += "</script>\n</body>\n</html>\n".utf8
    try sink.spill()
  }

  private func write(_ cases: Cases, to sink: inout FileSink) throws(FileError) {
    sink.buffer += Self.table.utf8
    sink.buffer += "</main>\n\(Self.dialog)\n<script type=\"application/json\" id=\"trials\">".utf8
    var trials = HTMLTrials(cases.suites)
    let all = trials.all
    let count = try trials.write(to: &sink)
    sink.buffer += "</script>\n<script type=\"application/json\" id=\"data\">".utf8
    try trials.writeShared(kind: cases.kind, noun: cases.noun, to: &sink)
    sink.buffer += "</script>\n".utf8
    if count < all {
      sink.buffer +=
        """
        <template id="left-out">\(count) of \(all) \(cases.noun)s are in this page: all that failed, were \
        lost or changed, as far as there is room, and the first of the others. report.json has all of \
        them.</template>

        """.utf8
    }
  }

  /// Past the parts above to what most readers look for.
  private var skip: String {
    let target = cases == nil ? (sections.first?.id ?? "", "figures") : ("cases", "cases")
    return "<a class=\"skip\" href=\"#\(target.0)\">Skip to the \(target.1)</a>"
  }

  private var places: String {
    (sections.map { ($0.id, $0.title) } + (cases == nil ? [] : [("cases", "Cases")]))
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

  private static let table =
    """
    <section id="cases" aria-labelledby="cases-title">
    <h2 id="cases-title">Cases</h2>
    <noscript><p>The table of cases needs JavaScript, which this page brings along and which was not run. \
    report.md and report.csv show the cases without it.</p></noscript>
    <div id="tools" hidden>
    <p id="left-out-text" class="warning" hidden></p>
    <div class="tools">
    <div><label for="search">Search: every word must occur (/)</label>
    <input type="search" id="search" autocomplete="off" spellcheck="false"></div>
    <p id="shown" class="num" role="status" aria-live="polite"></p>
    <button type="button" id="clear">Clear all</button>
    <button type="button" id="show-hidden" hidden></button>
    </div>
    <div id="chips" role="group" aria-label="Filters"></div>
    <div id="rows" class="rows" role="region" aria-label="Table of cases" tabindex="-1">
    <table id="case-table"><thead><tr>\(columns)</tr></thead>
    <tbody id="row-list"></tbody></table></div>
    <div id="none" class="nothing-left" hidden><p id="none-text"></p></div>
    <p class="small quiet">Arrow keys go from case to case, Enter opens one, Escape closes it.</p>
    </div>
    </section>

    """

  private static let columns = [
    ("outcome", "Outcome", ""), ("case", "Case", ""), ("column", "Of", ""),
    ("answer", "What went wrong, or the answer", ""), ("latency", "Latency", " num"),
    ("tokens", "Tokens", " num"), ("cost", "Cost", " num"),
  ].map { key, title, kind in
    "<th scope=\"col\" class=\"c-\(key)\(kind)\" aria-sort=\"none\"><button type=\"button\" "
      + "data-sort=\"\(key)\">\(title)<span class=\"arrow\" aria-hidden=\"true\"></span></button></th>"
  }.joined()

  private static let dialog = """
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
