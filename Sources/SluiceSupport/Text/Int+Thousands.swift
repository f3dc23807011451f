extension Int {
  /// The digits, with commas that separate thousands, such as `1,000,000`.
  package var withThousands: String {
    let digits = Array(String(magnitude))
    var text = self < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }
}
