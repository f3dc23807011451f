@testable import SluiceReporting
import Testing

@Suite("Text in HTML")
struct HTMLTextTests {
  @Test(
    "HTML's special characters are escaped, and invisible characters are made visible",
    arguments: [
      ("a < b & c > d", "a &lt; b &amp; c &gt; d"), ("\"it's\"", "&quot;it&#39;s&quot;"),
      ("</script><script>", "&lt;/script&gt;&lt;script&gt;"), ("a\nb", "a\\nb"),
      ("\u{202E}x", "\\u{202e}x"), ("\u{1B}[31m", "\\u{1b}[31m"), ("日本 🙂", "日本 🙂"),
    ]
  )
  func escapes(text: String, escaped: String) {
    #expect(HTMLText.escaped(text) == escaped)
  }

  @Test(
    "URL components are encoded as by encodeURIComponent, and apostrophes too",
    arguments: [
      ("case-1_a.b!c~d*(e)", "case-1_a.b!c~d*(e)"), ("a b/c?d=e&f#g", "a%20b%2Fc%3Fd%3De%26f%23g"),
      ("it's", "it%27s"), ("é日", "%C3%A9%E6%97%A5"), ("\n", "%0A"),
    ]
  )
  func addresses(text: String, encoded: String) {
    #expect(HTMLText.addressComponent(text) == encoded)
  }
}
