import SluiceGating

/// A report as an HTML file that needs no network, no other files and no third-party scripts.
struct HTMLPage {
  var title: String
  /// Everything above the sections.
  var head: String
  var sections: [Section]
  /// The table of cases, or `nil` for a page without one.
  var cases: HTMLCases?

  /// A section of the page, which links can point to.
  struct Section {
    var id: String
    var title: String
    /// The name in the list of sections, if the title is too long for that list.
    var place: String?
    var body: String
    /// True if the section comes after the table of cases.
    var isBelowCases = false
    /// The reason why the section is empty, as markup.
    ///
    /// The page then shows the reason instead of the section.
    var nothing: String?
  }

  /// Writes the page.
  ///
  /// Trials are written one at a time, since there may be many.
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
    for section in above { sink.buffer += self.section(section).utf8 }
    if let cases { sink.buffer += cases.section.utf8 }
    for section in below { sink.buffer += self.section(section).utf8 }
    sink.buffer += "\(empty)</main>\n".utf8
    try cases?.writeData(to: &sink)
    sink.buffer += "<script>".utf8
    sink.buffer += program
    sink.buffer += "</script>\n</body>\n</html>\n".utf8
    try sink.spill()
  }

  /// A link to the section that most readers look for.
  private var skip: String {
    let target = cases == nil ? (shown.first?.id ?? "", "figures") : ("cases", "cases")
    return "<a class=\"skip\" href=\"#\(target.0)\">Skip to the \(target.1)</a>"
  }

  private var places: String {
    let names = [above, below].map { $0.map { ($0.id, $0.place ?? $0.title) } }
    // The program shows this link, since a search needs the program.
    let search =
      cases == nil ? "" : "<li id=\"find\" hidden><a href=\"#cases\">Search</a></li>"
    return search
      + (names[0] + (cases == nil ? [] : [("cases", "Cases")]) + names[1])
      .map { "<li><a href=\"#\($0.0)\">\(HTMLText.escaped($0.1))</a></li>" }.joined()
  }

  /// The sections that are not empty.
  private var shown: [Section] { sections.filter { $0.nothing == nil } }
  private var above: [Section] { shown.filter { !$0.isBelowCases } }
  private var below: [Section] { shown.filter(\.isBelowCases) }

  /// A paragraph that lists the empty sections with their reasons.
  private var empty: String {
    let parts = sections.compactMap { part in
      part.nothing.map { nothing in
        // Titles begin with a capital, which would be wrong inside a sentence.
        let name = part.title.prefix(1).lowercased() + part.title.dropFirst()
        return "\(HTMLText.escaped(name)) (\(nothing))"
      }
    }
    if parts.isEmpty { return "" }
    let all = parts.joined(separator: "; ")
    return "<p class=\"quiet small empty\">Nothing to show for: \(all).</p>\n"
  }

  private func section(_ section: Section) -> String {
    """
    <section id="\(section.id)" aria-labelledby="\(section.id)-title">
    <h2 id="\(section.id)-title">\(HTMLText.escaped(section.title))</h2>
    \(section.body)
    </section>

    """
  }

  /// Returns the top of a page: the verdict, its reason, the models that answered, and the theme
  /// switch.
  ///
  /// - Parameters:
  ///   - title: The verdict as markup, or a title.
  ///   - outputs: The notice about answers that come from files, which is shown above everything
  ///     else.
  ///   - reason: The reason for the verdict, in a sentence or two.
  ///   - facts: The project, the models that answered and the dates, which are shown in one line.
  ///   - next: The recommended next step, with a command to copy.
  ///   - notes: Further remarks.
  ///   - warnings: Warnings to read before trusting any figure.
  /// - Returns: The markup.
  static func head(
    _ title: String,
    outputs: String? = nil,
    reason: String,
    facts: [String] = [],
    next: (advice: String, command: String)? = nil,
    notes: [String],
    warnings: [String]
  ) -> String {
    let notice = outputs.map { "<p class=\"quiet small\">\(HTMLText.escaped($0))</p>\n" } ?? ""
    var text = """
      <header class="top"><div class="wrap">\(notice)<div class="top-row">
      <h1 class="verdict">\(title)</h1>
      <div class="group" role="group" aria-label="Light or dark">
      <button type="button" data-set-theme="system" aria-pressed="true">System</button>
      <button type="button" data-set-theme="light" aria-pressed="false">Light</button>
      <button type="button" data-set-theme="dark" aria-pressed="false">Dark</button></div></div>
      <p class="reason">\(HTMLText.escaped(reason))</p>

      """
    if !facts.isEmpty {
      let items = facts.map { "<li>\(HTMLText.escaped($0))</li>" }.joined()
      text += "<ul class=\"about\">\(items)</ul>\n"
    }
    if let next {
      text += """
        <div class="next"><p><strong>Next:</strong> \(HTMLText.escaped(next.advice))</p>
        <div class="command"><pre tabindex="0"><code>\(HTMLText.escaped(next.command))</code></pre>\
        <button type="button" data-copy hidden>Copy</button><span class="small" role="status"></span></div></div>

        """
    }
    for warning in warnings { text += "<p class=\"warning\">\(HTMLText.escaped(warning))</p>\n" }
    for note in notes { text += "<p class=\"quiet small\">\(HTMLText.escaped(note))</p>\n" }
    return text + "</div></header>"
  }
}
