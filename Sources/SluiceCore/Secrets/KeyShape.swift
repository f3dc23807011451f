import SluiceSupport

/// The shape of a vendor's keys: a unique prefix followed by random characters.
struct KeyShape: Sendable {
  let kind: SecretKind
  let prefix: [UInt8]
  /// The number of characters after the prefix.
  ///
  /// Shorter and longer values are not keys.
  let length: ClosedRange<Int>
  let characters: Characters

  enum Characters: Sendable {
    case alphanumeric, upperAndDigits, digits, hexadecimal
    /// Letters, digits, `-` and `_`.
    case url
    /// The characters of ``url``, and dots.
    case pointed
    /// The characters of ``url`` and those of URL paths: `/`, `@`, `%`, `:`.
    case path
    /// The characters of base64 with padding, and `%` for padding that is percent-encoded.
    case base64

    func contains(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39: true
      case 0x41...0x5A: self != .digits && self != .hexadecimal
      case 0x61...0x66: self != .digits && self != .upperAndDigits
      case 0x67...0x7A: self != .digits && self != .upperAndDigits && self != .hexadecimal
      case UInt8(ascii: "-"), UInt8(ascii: "_"): self == .url || self == .pointed || self == .path
      case UInt8(ascii: "."): self == .pointed
      case UInt8(ascii: "@"), UInt8(ascii: ":"): self == .path
      case UInt8(ascii: "/"), UInt8(ascii: "%"): self == .path || self == .base64
      case UInt8(ascii: "+"), UInt8(ascii: "="): self == .base64
      default: false
      }
    }
  }

  private init(
    _ kind: SecretKind,
    _ prefix: String,
    _ length: ClosedRange<Int>,
    _ characters: Characters
  ) {
    self.kind = kind
    self.prefix = Array(prefix.utf8)
    self.length = length
    self.characters = characters
  }

  /// Returns the end of a value of this shape that starts at an index; nil if no such value starts
  /// there.
  func end(in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
    let body = start + prefix.count
    guard body + length.lowerBound <= bytes.endIndex,
      bytes[start..<body].elementsEqual(prefix)
    else { return nil }
    var end = body
    while end < bytes.endIndex, characters.contains(bytes[end]) { end += 1 }
    // A final dot belongs to the sentence. A final bracket or slash belongs to the text around a
    // URL.
    while end > body, "./%:@".utf8.contains(bytes[end - 1]) { end -= 1 }
    // If a letter or digit follows, the value is part of a longer word.
    guard length.contains(end - body),
      end == bytes.endIndex || !Characters.alphanumeric.contains(bytes[end])
    else { return nil }
    if characters == .digits { return end }
    // Documentation contains keys of the right shape that end with `EXAMPLE`.
    guard !bytes[body..<end].suffix(7).elementsEqual("EXAMPLE".utf8) else { return nil }
    return CharacterMix(bytes[body..<end]).looksIssued ? end : nil
  }

  // MARK: The shapes

  /// A list of shapes, grouped by the first byte of their prefix.
  ///
  /// In a group, longer prefixes come first.
  struct Index: Sendable {
    private let shapes: [[KeyShape]]

    fileprivate init(_ rows: [(SecretKind, [String], ClosedRange<Int>, Characters)]) {
      var shapes = [[KeyShape]](repeating: [], count: 256)
      for (kind, prefixes, length, characters) in rows {
        for prefix in prefixes {
          let shape = KeyShape(kind, prefix, length, characters)
          shapes[Int(shape.prefix[0])].append(shape)
        }
      }
      self.shapes = shapes.map { $0.sorted { $0.prefix.count > $1.prefix.count } }
    }

    /// Returns the kind and the end of a value that starts at an index; nil if no such value starts
    /// there.
    func match(in bytes: ArraySlice<UInt8>, from start: Int) -> (kind: SecretKind, end: Int)? {
      for shape in shapes[Int(bytes[start])] {
        if let end = shape.end(in: bytes, from: start) { return (shape.kind, end) }
      }
      return nil
    }
  }

  /// The shapes of keys and tokens, which are secret wherever they occur.
  static let keys = Index([
    (SecretKind("an Anthropic API key", .key), ["sk-ant-"], 20...160, .url),
    (SecretKind("an OpenRouter API key", .key), ["sk-or-"], 20...120, .url),
    (
      SecretKind("an OpenAI API key", .key),
      ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], 20...220, .url
    ),
    (SecretKind("an API key that starts with sk-", .key), ["sk-"], 20...220, .url),
    (SecretKind("a Google API key", .key), ["AIza"], 30...40, .url),
    (SecretKind("a Google access token", .token), ["ya29."], 20...400, .url),
    (SecretKind("an AWS access key id", .key), ["AKIA", "ASIA"], 16...16, .upperAndDigits),
    (
      SecretKind("a GitHub token", .token),
      ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"], 30...255, .url
    ),
    (
      SecretKind("a GitLab token", .token),
      ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-"], 20...60, .url
    ),
    (
      SecretKind("a Slack token", .token),
      ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxc-", "xoxd-", "xapp-"], 16...255,
      .url
    ),
    (SecretKind("a Hugging Face token", .token), ["hf_", "api_org_"], 30...60, .alphanumeric),
    (
      SecretKind("a Stripe key", .key),
      ["sk_live_", "rk_live_", "sk_test_", "rk_test_", "whsec_"], 20...250, .alphanumeric
    ),
    (SecretKind("a Groq API key", .key), ["gsk_"], 20...80, .alphanumeric),
    (SecretKind("an xAI API key", .key), ["xai-"], 30...120, .alphanumeric),
    (SecretKind("a Perplexity API key", .key), ["pplx-"], 30...80, .alphanumeric),
    (SecretKind("a Cerebras API key", .key), ["csk-"], 30...80, .alphanumeric),
    (SecretKind("a Replicate token", .token), ["r8_"], 30...60, .alphanumeric),
    (SecretKind("an NVIDIA API key", .key), ["nvapi-"], 40...100, .url),
    (SecretKind("a Fireworks API key", .key), ["fw_"], 20...60, .alphanumeric),
    (SecretKind("a Together API key", .key), ["tgp_v1_"], 30...80, .url),
    (SecretKind("a Vercel token", .token), ["vck_", "vcp_"], 20...100, .alphanumeric),
    (SecretKind("a LangSmith API key", .key), ["lsv2_pt_", "lsv2_sk_"], 30...80, .url),
    (SecretKind("a Tavily API key", .key), ["tvly-"], 20...60, .url),
    (SecretKind("a Jina API key", .key), ["jina_"], 40...100, .url),
    (SecretKind("an npm token", .token), ["npm_"], 36...36, .alphanumeric),
    (SecretKind("a PyPI token", .token), ["pypi-"], 50...400, .url),
    (SecretKind("a DigitalOcean token", .token), ["dop_v1_", "doo_v1_"], 60...70, .alphanumeric),
    (
      SecretKind("the address of a Slack webhook", .secret),
      ["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
      30...120, .path
    ),
    (
      SecretKind("the address of a Discord webhook", .secret),
      [
        "discord.com/api/webhooks/", "discordapp.com/api/webhooks/",
        "discord.com/api/v10/webhooks/",
        "discord.com/api/v9/webhooks/",
      ],
      60...140, .path
    ),
    (
      SecretKind("the address of a Teams webhook", .secret),
      ["webhook.office.com/webhookb2/", "outlook.office.com/webhook/"], 60...260, .path
    ),
    (SecretKind("a SendGrid API key", .key), ["SG."], 60...75, .pointed),
    (SecretKind("a Twilio API key", .key), ["SK"], 32...32, .hexadecimal),
    (SecretKind("a Databricks token", .token), ["dapi"], 32...36, .url),
    (SecretKind("an age secret key", .privateKey), ["AGE-SECRET-KEY-1"], 50...70, .upperAndDigits),
    (SecretKind("a Vault token", .token), ["hvs.", "hvb.", "hvr."], 20...300, .url),
    (
      SecretKind("a Shopify token", .token),
      ["shpat_", "shpss_", "shppa_", "shpca_", "shptka_"], 32...40, .alphanumeric
    ),
    (SecretKind("a Notion token", .token), ["ntn_"], 40...60, .alphanumeric),
    (SecretKind("a Notion token", .token), ["secret_"], 43...43, .alphanumeric),
    (SecretKind("a Linear API key", .key), ["lin_api_", "lin_oauth_"], 32...72, .alphanumeric),
    (SecretKind("an Atlassian token", .token), ["ATATT3", "ATCTT3"], 24...300, .url),
    (SecretKind("a Bitbucket password", .password), ["ATBB"], 32...40, .alphanumeric),
    (SecretKind("a Google client secret", .secret), ["GOCSPX-"], 24...40, .url),
    (
      SecretKind("an AWS session token", .token), ["IQoJ", "FwoG", "FQoG"], 100...3_000, .base64
    ),
    (SecretKind("the key of an Azure storage account", .key), ["AccountKey="], 80...92, .base64),
    (SecretKind("a Grafana token", .token), ["glsa_", "glc_"], 32...200, .url),
    (SecretKind("a Docker token", .token), ["dckr_pat_", "dckr_oat_"], 20...40, .url),
    (SecretKind("a Postman API key", .key), ["PMAK-"], 50...70, .url),
    (SecretKind("a Figma token", .token), ["figd_"], 36...60, .url),
    (SecretKind("a Brevo API key", .key), ["xkeysib-"], 70...100, .url),
    (SecretKind("a Tailscale key", .key), ["tskey-"], 20...90, .url),
    (SecretKind("a Sentry token", .token), ["sntrys_"], 60...400, .base64),
    (SecretKind("a Supabase token", .token), ["sbp_"], 40...40, .hexadecimal),
    (SecretKind("a Pulumi token", .token), ["pul-"], 40...40, .hexadecimal),
    (SecretKind("a RubyGems API key", .key), ["rubygems_"], 48...48, .hexadecimal),
  ])

  /// The shapes of account ids.
  ///
  /// Account ids identify the owner of a recording, but do not grant access.
  static let accounts = Index([
    (SecretKind("the id of an organization", .account), ["org-", "org_"], 20...40, .alphanumeric),
    (SecretKind("the id of a user", .account), ["user_", "user-"], 20...40, .alphanumeric),
    (SecretKind("the id of a project", .account), ["proj_"], 16...40, .alphanumeric),
    (SecretKind("the number of a cloud project", .account), ["projects/"], 9...14, .digits),
    (.account, ["acct_", "wrkspc_"], 16...40, .alphanumeric),
    (SecretKind("the id of a Twilio account", .account), ["AC"], 32...32, .hexadecimal),
  ])
}
