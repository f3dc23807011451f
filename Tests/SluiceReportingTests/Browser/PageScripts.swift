/// JavaScript expressions that query a page in tests.
enum PageScripts {
  /// The ids of the visible cases.
  static let rows = "[...document.querySelectorAll('#row-list tr.row .id')].map(e => e.textContent)"

  /// The texts of a grid row's cells.
  static func cells(_ row: Int) -> String {
    "[...document.querySelectorAll('#row-list tr.row')[\(row)].children].map(e => e.textContent.trim())"
  }

  /// The words that a row highlights as different, by column.
  static func marked(_ row: Int) -> String {
    "[...document.querySelectorAll('#row-list tr.row')[\(row)].querySelectorAll('.c-answer')]"
      + ".map(e => [...e.querySelectorAll('ins')].map(i => i.textContent))"
  }

  /// The title of the open case.
  static let title = "document.getElementById('case-title').textContent"

  /// The text of the open case.
  static let caseText = "document.getElementById('case-body').innerText"

  /// The number of pixels by which the page is wider than the window.
  static let overhang =
    "document.documentElement.scrollWidth - document.documentElement.clientWidth"

  /// The words of names in folded rows that are broken across lines.
  static let brokenNames = """
    [...document.querySelectorAll('summary .name')].flatMap(name => {
      const text = name.firstChild;
      return [...text.textContent.matchAll(/[^\\s-]+/g)].filter(word => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1;
      }).map(word => word[0]);
    })
    """

  /// The pairs of texts in the same chart that overlap.
  static func touching(_ pictures: String) -> String {
    """
    [...document.querySelectorAll('\(pictures)')].flatMap(svg => {
      const texts = [...svg.querySelectorAll('text')].filter(t => t.textContent !== '?')
        .map(t => [t.textContent, t.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
      return texts.flatMap(([one, a], i) => texts.slice(i + 1)
        .filter(([, b]) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)
        .map(([other]) => `${one} and ${other}`));
    })
    """
  }

  static let shown = "document.getElementById('shown').textContent"

  /// Returns the chips of a group with their counts and selection states.
  static func chips(_ group: String) -> String {
    """
    [...document.querySelectorAll('fieldset.chips')].filter(f => f.querySelector('legend').textContent === `\(group)`)
      .flatMap(f => [...f.querySelectorAll('button')].map(b => b.textContent + (b.getAttribute('aria-pressed') === 'true' ? ' on' : '')))
    """
  }

  static func press(chip: String, in group: String) -> String {
    """
    [...document.querySelectorAll('fieldset.chips')].find(f => f.querySelector('legend').textContent === `\(group)`)
      .querySelectorAll('button').forEach(b => { if (b.dataset.chip.endsWith(`\\n\(chip)`)) b.click(); })
    """
  }

  /// The focused element: its id, its row's case, or its text.
  static let focus =
    "document.activeElement.id || document.activeElement.closest('tr.row')?.querySelector('.id').textContent || "
    + "document.activeElement.textContent"

  /// Texts with too little contrast: below 4.5 to 1, or below 3 to 1 for large text.
  static let faint = """
    (() => {
      const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
      const light = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
      };
      const behind = element => {
        for (let e = element; e; e = e.parentElement) {
          const color = parse(getComputedStyle(e).backgroundColor);
          if (color.length === 3 || color[3] > 0.99) return color;
        }
        return [255, 255, 255];
      };
      const found = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.textContent.trim() || /^(SCRIPT|STYLE|TEMPLATE|NOSCRIPT)$/.test(element.tagName)) continue;
        if (element.getClientRects().length === 0) continue;
        const style = getComputedStyle(element);
        const isDrawn = element instanceof SVGElement;
        const [a, b] = [light(parse(isDrawn ? style.fill : style.color)), light(behind(element))].sort((x, y) => y - x);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < (isLarge ? 3 : 4.5)) found.push(`${walker.currentNode.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
      }
      return found;
    })()
    """
}
