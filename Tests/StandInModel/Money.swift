/// The amounts in a text, roughly converted to euros.
enum Money {
  /// Returns the largest amount in a text, or `nil` if there is none.
  static func largest(in text: Text) -> Int? {
    let words = Array(text.words)
    var largest: Int?
    for index in words.indices {
      guard var amount = Self.amount(words[index].text) else { continue }
      var unit = index + 1
      // Handles "60 000 francs".
      while unit < words.count, words[unit].text.count == 3, let next = Int(words[unit].text),
        words[unit - 1].after.isEmpty, amount < 1_000_000
      {
        amount = amount * 1000 + next
        unit += 1
      }
      let value =
        euros(words[index].written)
        ?? (unit < words.count ? euros(words[unit].text) : nil)
        ?? (index > 0 ? euros(words[index - 1].written) : nil)
      if let value { largest = max(largest ?? 0, Int(Double(amount) * value)) }
    }
    return largest
  }

  /// Returns the number in "€4,800", "1.400€", "9k" or "₹4,50,000", without cents.
  private static func amount(_ word: String) -> Int? {
    var digits = ""
    var group = 0
    var isThousands = false
    for character in word {
      if character.isASCII, character.isNumber {
        digits.append(character)
        group += 1
      } else if character == "," || character == "." {
        if digits.isEmpty { return nil }
        group = 0
        digits.append(".")
      } else if character == "k", !digits.isEmpty {
        isThousands = true
      }
    }
    var groups = digits.split(separator: ".")
    if groups.count > 1, let last = groups.last, last.count < 3 { groups.removeLast() }
    let number = Int(groups.joined().prefix(9))
    return isThousands ? number.map { $0 * 1000 } : number
  }

  /// Returns the approximate value of a currency in euros, by its word or sign.
  private static func euros(_ word: String) -> Double? {
    let lower = word.lowercased()
    for (names, value) in units where names.contains(where: lower.hasPrefix) { return value }
    for (signs, value) in signs where word.contains(where: signs.contains) { return value }
    return nil
  }

  private static let units: [([String], Double)] = [
    (["euro", "eur"], 1), (["dollar", "usd", "bucks"], 0.9), (["pound", "gbp", "quid"], 1.1),
    (["dinar"], 1.3), (["rupee", "inr", "रुपय"], 0.011), (["baht", "บาท"], 0.026),
    (["yen", "jpy"], 0.006), (["kron", "nok", "sek", "dkk"], 0.09),
    (["franc", "cfa", "fcfa"], 0.0015),
    (["peso"], 0.05), (["reais", "brl"], 0.17), (["zloty", "złot", "pln"], 0.23),
    (["lira", "tl"], 0.025),
    (["won", "krw"], 0.0007), (["rand"], 0.05), (["shilling"], 0.007), (["hryvn", "грн"], 0.02),
    (["ruble", "руб"], 0.01), (["rupiah", "ribu"], 0.00006), (["円", "万円"], 0.006),
  ]
  private static let signs: [(String, Double)] = [
    ("€", 1), ("$", 0.9), ("£", 1.1), ("₹", 0.011), ("¥", 0.006), ("円", 0.006), ("฿", 0.026),
    ("₩", 0.0007), ("₺", 0.025), ("₴", 0.02),
  ]
}
