/// A report as one HTML file: no network, nothing beside it, and nothing runs in it but our program.
struct HTMLPage {
  var title: String
  /// All that stands above the sections.
  var head: String
  var sections: [Section]
  /// The table of cases; nil for a page without one.
  var cases: HTMLCases?

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
      \(skip)
      \(HTMLPlot.patterns)\(head)
      <nav class="bar" aria-label="Parts of the report"><div class="wrap"><ul class="places">\(places)</ul></div></nav>
      <main class="wrap">

      """.utf8
    for section in sections { sink.buffer += self.section(section).utf8 }
    if let cases { try cases.write(to: &sink) } else { sink.buffer += "</main>\n".utf8 }
    sink.buffer += "<script>".utf8
    sink.buffer += program
    sink.buffer += "</script>\n</body>\n</html>\n".utf8
    try sink.spill()
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
