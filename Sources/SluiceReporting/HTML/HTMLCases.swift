import SluiceGating

/// The table of cases of a page, and a case as it is looked at.
struct HTMLCases {
  /// What tells the program of the page how to group them: `run` or `compare`.
  var kind: String
  /// What one of them is called.
  var noun: String
  var suites: [HTMLSuite]
  var paging: HTMLPaging
  /// Which page it is, from 0.
  var page: Int
  /// The name of the file of the first page, without `.html`.
  var base: String

  /// Writes the table, which ends the main part of the page, and the data of its cases.
  func write(to sink: inout FileSink) throws(FileError) {
    sink.buffer += section.utf8
    sink.buffer += "</main>\n\(Self.dialog)\n<script type=\"application/json\" id=\"trials\">".utf8
    var trials = HTMLTrials(suites, paging)
    try trials.write(page: page, to: &sink)
    sink.buffer += "</script>\n<script type=\"application/json\" id=\"data\">".utf8
    try trials.writeShared(kind: kind, noun: noun, to: &sink)
    sink.buffer += "</script>\n".utf8
  }

  /// Where the other pages are, and what stands on them; nothing where there is one.
  private var pages: String {
    if paging.count == 1 { return "" }
    let links = (0..<paging.count).map { other in
      let current = other == page ? " aria-current=\"page\"" : ""
      let name = HTMLText.escaped(HTMLPaging.fileName(other, of: base))
      return "<li><a href=\"\(name)#cases\" data-page\(current)>\(other + 1)</a></li>"
    }
    let left = paging.all - paging.paged
    let place = kind == "run" ? "report.csv and report.json" : "the run logs"
    let rest = left == 0 ? "" : " \(left.withThousands) of the others are in \(place) alone."
    return """
      <nav class="pages" aria-label="Pages of cases"><ul class="places">\(links.joined())</ul></nav>
      <p class="small quiet">\(paging.paged.withThousands) \(noun)s stand on \(paging.count) pages: first the cases of which any failed, was lost or \
      changed, then the others.\(rest) Search and counts are about this page.</p>

      """
  }

  private var section: String {
    """
    <section id="cases" aria-labelledby="cases-title">
    <h2 id="cases-title">Cases\(page > 0 ? ", page \(page + 1)" : "")</h2>
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
}
