import SluiceGating

/// The section of a page with the table of cases, and the dialog that shows one case.
struct HTMLCases {
  /// The kind of page, which decides how the script groups cases: `run` or `compare`.
  var kind: String
  var suites: [HTMLSuite]
  var paging: HTMLPaging
  /// The index of the page, from 0.
  var page: Int
  /// The file name of the first page, without `.html`.
  var base: String
  /// The committed versions of baselines, which are shown as the history of each case.
  var history = BaselineHistory()

  /// Writes the dialogs and the data of the cases, which follow the main part of the page.
  func writeData(to sink: inout FileSink) throws(FileError) {
    sink.buffer += "\(Self.dialogs)\n<script type=\"application/json\" id=\"trials\">".utf8
    var trials = HTMLTrials(suites, paging, history)
    try trials.write(page: page, to: &sink)
    sink.buffer += "</script>\n<script type=\"application/json\" id=\"cases-data\">".utf8
    try trials.writeCases(to: &sink)
    sink.buffer += "</script>\n<script type=\"application/json\" id=\"data\">".utf8
    try trials.writeShared(kind: kind, to: &sink)
    sink.buffer += "</script>\n".utf8
  }

  /// The links between the pages of the report, and a sentence on the order of the pages; empty if
  /// there is only one page.
  private var pages: String {
    if paging.count == 1 { return "" }
    let links = (0..<paging.count).map { other in
      let current = other == page ? " aria-current=\"page\"" : ""
      let name = HTMLText.escaped(HTMLPaging.fileName(other, of: base))
      return "<li><a href=\"\(name)#cases\" data-page\(current)>\(other + 1)</a></li>"
    }
    let left = paging.all - paging.paged
    let place = kind == "run" ? "report.csv and report.json" : "the run logs"
    let rest = left == 0 ? "" : " \(left.withThousands) more cases are only in \(place)."
    return """
      <nav class="pages" aria-label="Pages of cases"><ul \
      class="places">\(links.joined())</ul></nav>
      <p class="small quiet">\(paging.paged.withThousands) cases on \(paging.count) pages. Cases \
      with an answer that failed, was lost or changed come first.\(rest) Search, filters and \
      counts apply to this page only.</p>

      """
  }

  /// The markup of the section.
  var section: String {
    """
    <section id="cases" aria-labelledby="cases-title">
    <h2 id="cases-title">Cases\(page > 0 ? ", page \(page + 1)" : "")</h2>
    \(pages)\
    <noscript><p>The answers cannot be shown, because the JavaScript in this page did not run. \
    report.md and report.csv show the cases without JavaScript.</p></noscript>
    <div id="dead-link" class="warning dead-link" role="alert" hidden><p id="dead-text"></p>
    <button type="button" id="all-cases">Show all cases</button></div>
    <div id="tools" hidden>
    <div class="tools">
    <div class="search-box"><label for="search" class="hidden-text">Search in questions, expectations, answers and ids</label>
    <input type="search" id="search" autocomplete="off" spellcheck="false" \
    placeholder="Search questions, answers, ids"><kbd aria-hidden="true">/</kbd></div>
    <p id="shown" class="num" role="status" aria-live="polite"></p>
    <button type="button" id="clear" hidden>Clear all</button>
    <button type="button" id="show-hidden" hidden></button>
    <span class="gap"></span>
    <label class="choice"><span>Order</span> <select id="sort"></select></label>
    <label class="choice" id="highlight-choice"><span>Differences from</span> <select id="highlight"></select></label>
    <details class="menu"><summary id="labels-count">Marks</summary><div class="body">
    <p class="small quiet">Marks say whose fault a failure is. They stay in this browser; a saved file is \
    read by sluice agree and by this page.</p><ul id="labels-list"></ul>
    <input type="file" id="labels-file" accept=".jsonl,.json,.txt" aria-label="Labels file" hidden></div></details>
    <button type="button" id="show-keys" aria-label="Keys">?</button>
    </div>
    <div id="chips" role="group" aria-label="Filters"></div>
    <details id="more-filters" class="more-filters" hidden><summary>More filters <span id="more-names" class="quiet"></span></summary>
    <div id="more-chips" role="group" aria-label="More filters"></div></details>
    <div id="rows" class="rows" role="region" aria-label="Answers by case" tabindex="-1">
    <table id="case-table" role="grid" aria-label="Answers by case"><thead id="grid-head"></thead>
    <tbody id="row-list"></tbody></table></div>
    <div id="none" class="nothing-left" hidden><p id="none-text"></p></div>
    </div>
    </section>

    """
  }

  private static let keys = [
    ("Arrow keys", "move between cells"), ("Enter", "open the case of the cell"),
    ("/", "search"), ("Escape", "close"),
    ("Left, Right or k, j", "go to the previous or next case"),
    ("1 to 9", "choose a column of the open case"), ("r", "mark the failure as real"),
    ("s", "mark the failure as the scorer's fault"), ("l", "mark the failure as the label's fault"),
    ("Home, End", "go to the first or last case"), ("?", "show the keyboard shortcuts"),
  ].map { key, meaning in
    let names = key.split(separator: " ").map { word in
      ["or", "to", "keys"].contains(word) ? String(word) : "<kbd>\(word.filter { $0 != "," })</kbd>"
    }
    return "<dt>\(names.joined(separator: " "))</dt><dd>\(HTMLText.escaped(meaning))</dd>"
  }.joined()

  private static let dialogs = """
    <dialog id="case" aria-labelledby="case-title">
    <div class="case-head"><h2 id="case-title" tabindex="-1"></h2><span id="case-place" class="quiet num"></span>
    <div class="case-tools"><button type="button" id="previous">Previous</button><button type="button" id="next">Next</button>
    <button type="button" id="copy">Copy link</button><button type="button" id="hide" aria-label="Hide case">Hide<span> case</span></button>
    <button type="button" id="close">Close</button></div></div>
    <div class="case-body" id="case-body"></div>
    </dialog>
    <dialog id="keys" class="keys" aria-labelledby="keys-title"><div class="case-head"><h2 id="keys-title">Keys</h2>
    <button type="button" id="close-keys">Close</button></div><dl class="facts">\(keys)</dl></dialog>
    <div id="note" class="note" role="status" hidden><span id="note-text"></span>
    <button type="button" id="undo" hidden>Undo</button></div>
    """
}
