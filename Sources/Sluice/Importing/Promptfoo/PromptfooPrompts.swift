import SluiceReporting

/// A promptfoo prompt, converted to Sluice's message templates.
struct PromptfooPrompt {
  var place: PromptfooContext.Place
  /// The name of the prompt file, without the extension.
  var name: String
  var messages: [Message]
  /// The prompt's `config`, if it has one.
  var config: PromptfooTest.Located?
  /// The original text, if it is unsupported and the user must write a replacement; otherwise
  /// `nil`.
  var original: String?
  /// The parameters, by their names in Sluice's prompt files.
  var parameters: JSONObject = [:]
  /// The file name of the response schema, which is in the folder of the prompt.
  var schema: String?

  struct Message {
    var role: String
    var template: NunjucksTemplate
    var text: String
  }

  /// True if the original is one text rather than a list of messages.
  var isText = false

  var isPlaceholder: Bool { original != nil }
}

/// The reader of the prompts of a configuration.
struct PromptfooPromptReader {
  private let context: PromptfooContext
  private let area = ImportReport.Area.prompt
  private(set) var prompts: [PromptfooPrompt] = []
  /// The number of prompts that were left out.
  private(set) var lost = 0
  /// The text that precedes every prompt.
  private var prefix = ""
  private var suffix = ""
  private static let maximumPrompts = 500
  private static let endings = [
    "txt", "md", "json", "jsonl", "yaml", "yml", "csv", "j2", "py", "js", "ts", "mjs", "cjs", "mts",
    "cts", "prompty", "rb", "sh", "exe",
  ]

  init(_ context: PromptfooContext) { self.context = context }

  mutating func read(_ root: Node, prefix: String, suffix: String) {
    (self.prefix, self.suffix) = (prefix, suffix)
    guard let node = root.present("prompts") else {
      // If there are no prompts, promptfoo sends the variable `prompt`.
      add("{{prompt}}", label: nil, at: .init(context.configuration, root.position), config: nil)
      return
    }
    switch node.value {
    case .sequence(let nodes): for node in nodes { readEntry(node) }
    case .mapping(let members):
      // In promptfoo's old format, `prompts` is a mapping from files to labels.
      for member in members {
        readText(
          member.key,
          label: member.value.string,
          at: .init(context.configuration, member.keyPosition),
          config: nil
        )
      }
    default: readEntry(node)
    }
  }

  private mutating func readEntry(_ node: Node) {
    let place = PromptfooContext.Place(context.configuration, node.position)
    if let text = node.string {
      return readText(text, label: nil, at: place, config: nil)
    }
    guard node.members != nil else { return leaveOut("a prompt that is not a string", at: place) }
    let label = node.text("label") ?? node.text("id").flatMap { isFile($0) ? nil : $0 }
    let config = node.present("config").map {
      PromptfooTest.Located(node: $0, path: context.configuration)
    }
    for member in node.members ?? []
    where !["id", "label", "raw", "config", "role", "content", "name", "display"].contains(
      member.key
    ) {
      context.report(
        .leftOut,
        area,
        .init(context.configuration, member.keyPosition),
        "'\(member.key)' of a prompt has no counterpart"
      )
    }
    if let raw = node.text("raw") {
      let rawPlace = PromptfooContext.Place(context.configuration, node["raw"]?.position)
      if raw.hasPrefix("file://") {
        return readText(raw, label: label, at: rawPlace, config: config)
      }
      return add(raw, label: label, at: rawPlace, config: config)
    }
    if let role = node.text("role"), let content = node.text("content") {
      // promptfoo treats a message in the list of prompts as a prompt with an empty text.
      return leaveOut(
        "a message with the role '\(role)' instead of a prompt: \(content.prefix(40))",
        at: place
      )
    }
    if let id = node.text("id") {
      return readText(id, label: node.text("label"), at: place, config: config)
    }
    leaveOut("a prompt without a text", at: place)
  }

  private mutating func leaveOut(
    _ message: String,
    at place: PromptfooContext.Place,
    nearest: String? = nil
  ) {
    lost += 1
    context.report(.leftOut, area, place, message, nearest: nearest)
  }

  // MARK: Files

  private func isFile(_ text: String) -> Bool {
    if text.hasPrefix("file://") { return true }
    guard !text.unicodeScalars.contains("\n"), text.utf8.count < 500, !text.contains("{{") else {
      return false
    }
    return text.split(separator: ":").contains { part in
      Self.endings.contains { part.hasSuffix(".\($0)") } && !part.contains(" ")
    } || text.hasSuffix("*") || text.contains("/*")
  }

  private mutating func readText(
    _ text: String,
    label: String?,
    at place: PromptfooContext.Place,
    config: PromptfooTest.Located?
  ) {
    for scheme in ["langfuse://", "portkey://", "helicone://", "exec:", "package:"]
    where text.hasPrefix(scheme) {
      return leaveOut(
        "\(text): the prompt is stored or generated elsewhere",
        at: place,
        nearest: "write its text to a prompt file"
      )
    }
    guard isFile(text) else { return add(text, label: label, at: place, config: config) }
    let plain = text.hasPrefix("file://") ? String(text.dropFirst(7)) : text
    let name = plain.split(separator: ":").first.map(String.init) ?? plain
    let path = context.path(name)
    if path.name.contains("*") {
      let found = context.source.matches(path)
      if found.isEmpty { return missing(text, label: label, at: place, config: config) }
      for path in found { readFile(path, text, label: nil, at: place, config: config) }
      return
    }
    readFile(path, text, label: label, at: place, config: config)
  }

  private mutating func missing(
    _ reference: String,
    label: String?,
    at place: PromptfooContext.Place,
    config: PromptfooTest.Located?
  ) {
    context.report(
      .missingFile,
      area,
      place,
      reference,
      nearest: "put the file there and import again, or write its text into the prompt"
    )
    let name = nextName(label ?? ProjectPath(reference).stem)
    context.fillIn("the prompt '\(name)': the text of \(reference), which was not found")
    placeholder(name, reference, at: place, config: config)
  }

  private mutating func placeholder(
    _ name: String,
    _ original: String,
    at place: PromptfooContext.Place,
    config: PromptfooTest.Located?
  ) {
    let text = "FILL IN: the text of this prompt"
    guard let template = try? NunjucksTemplate(text) else { return }
    prompts.append(
      PromptfooPrompt(
        place: place,
        name: name,
        messages: [.init(role: "user", template: template, text: text)],
        config: config,
        original: original
      )
    )
  }

  private mutating func readFile(
    _ path: ProjectPath,
    _ reference: String,
    label: String?,
    at place: PromptfooContext.Place,
    config: PromptfooTest.Located?
  ) {
    switch path.pathExtension {
    case "py", "js", "ts", "mjs", "cjs", "mts", "cts", "rb", "sh", "exe":
      return leaveOut(
        "\(reference): a program generates the prompt",
        at: place,
        nearest: "the prompt's text with {{names}}, or an 'exec' backend that generates the prompt"
      )
    case "prompty":
      return leaveOut("\(reference): an unsupported file type", at: place, nearest: "YAML")
    default: break
    }
    let name = label ?? path.stem
    let file = PromptfooContext.Place(path, SourcePosition(line: 1, column: 1))
    do throws(ImportSource.Fault) {
      let text = try context.source.text(path)
      switch path.pathExtension {
      case "jsonl":
        for (index, line) in text.lines
          .enumerated()
        where !line.allSatisfy(\.isWhitespace) {
          let linePlace = PromptfooContext.Place(path, SourcePosition(line: index + 1, column: 1))
          add(String(line), label: name, at: linePlace, config: config)
        }
      case "csv": readTable(text, name, path, config)
      case "json", "md", "j2": add(text, label: name, at: file, config: config)
      case "yaml", "yml":
        let root = try context.source.tree(path)
        if root.members == nil, root.elements == nil {
          return add(text, label: name, at: file, config: config)
        }
        add(root.json.jsonText, label: name, at: file, config: config)
      default:
        for part in Self.parts(of: text) {
          add(part.text, label: name, at: .init(path, part.position), config: config)
        }
      }
    } catch {
      switch error {
      case .missing: missing(reference, label: label, at: place, config: config)
      case .unreadable(let reason): leaveOut("\(reference) cannot be read: \(reason)", at: place)
      }
    }
  }

  /// Splits a text file into its prompts, which are separated by lines of `---`.
  private static func parts(of text: String) -> [(text: String, position: SourcePosition)] {
    var parts: [(text: String, position: SourcePosition)] = []
    var lines: [String] = []
    var start = 1
    func flush(_ next: Int) {
      let part = lines.joined(separator: "\n").trimmed
      if !part.isEmpty { parts.append((part, SourcePosition(line: start, column: 1))) }
      lines = []
      start = next
    }
    for (index, line) in text.lines.enumerated() {
      if line.trimmed == "---" { flush(index + 2) } else { lines.append(line) }
    }
    flush(0)
    return parts
  }

  private mutating func readTable(
    _ text: String,
    _ name: String,
    _ path: ProjectPath,
    _ config: PromptfooTest.Located?
  ) {
    let (rows, problems) = CSVReader.read(Array(text.utf8))
    for problem in problems {
      leaveOut("the row: \(problem.message)", at: .init(path, problem.position))
    }
    guard let header = rows.first, header.count < 1_000 else { return }
    let column = header.firstIndex { $0.text.trimmed.lowercased() == "prompt" }
    let labels = header.firstIndex { $0.text.trimmed.lowercased() == "label" }
    for row in column == nil ? rows[...] : rows.dropFirst() {
      let cell = row[column ?? 0]
      if cell.text.isEmpty { continue }
      let label = labels.map { row[$0].text }
      add(cell.text, label: label ?? name, at: .init(path, cell.position), config: config)
    }
  }

  // MARK: Texts

  private mutating func nextName(_ wish: String?) -> String {
    let made = wish.flatMap { Identifier.made(of: String($0.prefix(60)).lowercased()) }
    let usual = "prompt-\(prompts.count + 1)"
    let stem = made.map { String($0.prefix(40)) } ?? usual
    let name =
      ["suite", "judge"].contains(stem) || stem.hasPrefix("judge-") ? "prompt-\(stem)" : stem
    var number = 1
    func numbered() -> String { number == 1 ? name : "\(name)-\(number)" }
    while prompts.contains(where: { $0.name == numbered() }) { number += 1 }
    return numbered()
  }

  private mutating func add(
    _ raw: String,
    label: String?,
    at place: PromptfooContext.Place,
    config: PromptfooTest.Located?
  ) {
    guard prompts.count < Self.maximumPrompts else {
      return leaveOut("too many prompts", at: place)
    }
    let text = prefix + raw + suffix
    let name = nextName(label)
    guard let messages = messages(text, at: place) else {
      lost += 1
      return
    }
    var prompt = PromptfooPrompt(place: place, name: name, messages: messages, config: config)
    prompt.isText = messages.count == 1 && messages[0].template.hasText(text)
    prompts.append(prompt)
  }

  /// Converts a prompt's text to messages, as promptfoo's providers do.
  ///
  /// If the text is unsupported, reports the reason and returns `nil`.
  private mutating func messages(_ text: String, at place: PromptfooContext.Place)
    -> [PromptfooPrompt.Message]?
  {
    func refuse(_ message: String, nearest: String? = nil) -> [PromptfooPrompt.Message]? {
      context.report(.leftOut, area, place, message, nearest: nearest)
      return nil
    }
    let trimmed = text.trimmed
    if trimmed.isEmpty { return refuse("an empty prompt") }
    var list: JSONValue?
    if let json = try? JSONReader.value(text) {
      list = json
    } else if trimmed.hasPrefix("- role:") {
      let (root, problems) = YAMLReader.read(Array(text.utf8), mergesKeys: true)
      guard problems.isEmpty, let root else {
        return refuse("YAML messages that cannot be read before their variables are filled in")
      }
      list = root.json
    } else if trimmed.hasPrefix("[")
      || trimmed.hasPrefix("{") && !trimmed.hasPrefix("{{")
        && !trimmed.hasPrefix("{%") && !trimmed.hasPrefix("{#")
    {
      return refuse(
        "a prompt that becomes valid JSON only after its variables are filled in",
        nearest: "write the messages as a YAML list"
      )
    }
    guard let list else {
      return message("user", text, at: place).map { [$0] }
    }
    guard case .array(let entries) = list, !entries.isEmpty else {
      return refuse(
        "JSON that is not a list of messages",
        nearest: "an 'http' backend, which can send any JSON as its body"
      )
    }
    var messages: [PromptfooPrompt.Message] = []
    for entry in entries {
      guard let role = entry["role"]?.string, MessageRole(rawValue: role) != nil,
        case .object(let object) = entry, object.members.count == 2,
        let content = entry["content"]
      else {
        return refuse(
          "a message that contains more than a role and a text",
          nearest: "messages with text only; tool calls and images have no counterpart yet"
        )
      }
      guard let text = content.string ?? Self.onlyText(content) else {
        return refuse("a message with parts that are not text, such as images")
      }
      guard let message = message(role, text, at: place) else { return nil }
      messages.append(message)
    }
    return messages
  }

  /// Returns the text of a message whose content is a list with a single text part, or `nil` for
  /// any other content.
  private static func onlyText(_ content: JSONValue) -> String? {
    guard case .array(let parts) = content, parts.count == 1,
      parts[0]["type"]?.string == "text" || parts[0]["type"]?.string == "input_text"
    else { return nil }
    return parts[0]["text"]?.string
  }

  private func message(_ role: String, _ text: String, at place: PromptfooContext.Place)
    -> PromptfooPrompt.Message?
  {
    do throws(NunjucksTemplate.Unsupported) {
      let template = try NunjucksTemplate(text)
      let counterpart = try template.counterpart()
      if case .failure(let problem) = Result(catching: { () throws(Template.Problem) in
        try Template(counterpart)
      }) {
        context.report(
          .leftOut,
          area,
          place,
          "a template that cannot be converted: \(problem.message)"
        )
        return nil
      }
      return .init(role: role, template: template, text: counterpart)
    } catch {
      let shown = error.tag.count > 60 ? "\(error.tag.prefix(60))…" : error.tag
      context.report(
        .leftOut,
        area,
        place,
        "a prompt with \(shown): \(error.reason)",
        nearest: "a variable such as {{name}}, with a value in each case"
      )
      return nil
    }
  }
}
