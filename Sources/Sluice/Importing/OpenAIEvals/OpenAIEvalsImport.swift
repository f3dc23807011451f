package import SluiceReporting

/// The import of objects saved from OpenAI's hosted Evals, as suites, datasets and output files.
package struct OpenAIEvalsImport {
  /// The files of all suites, and the report.
  package struct Result: Sendable {
    package var names: [String] = []
    package var files: [ImportPlan.File] = []
    package var backends: [ImportedBackend] = []
    package var report = ImportReport(source: "the hosted Evals")
    package var outputLines = ""
  }

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder with the saved objects.
  ///   - files: The file system.
  ///   - name: The name of the suite, or `nil` to use the eval's name. If the folder contains
  ///     several evals, the name is ignored.
  /// - Returns: The files and the report.
  /// - Throws: ``PromptfooImport/Failure`` if the folder contains no eval.
  package static func read(
    _ folder: ProjectPath,
    from files: any FileSystem,
    name: String? = nil
  ) throws(PromptfooImport.Failure) -> Result {
    var objects = OpenAIEvalsObjects()
    objects.read(folder, files)
    objects.reportMissingPages()
    guard !objects.evals.isEmpty else {
      let what =
        objects.fileCount == 0
        ? "the folder contains no JSON or JSONL files"
        : "no file in the folder contains an 'eval' object"
      throw .init(diagnostics: [
        Diagnostic(
          path: folder.description,
          message: what,
          fix: "save the responses of GET /v1/evals and of its runs (docs/openai-evals.md)"
        )
      ])
    }
    var result = Result()
    result.report.findings = objects.findings
    var outputs: [OutputRowsFile] = []
    var taken: Set<String> = []
    for eval in objects.evals {
      let usual = eval.value["name"]?.string ?? eval.value["id"]?.string ?? "eval"
      let wish = objects.evals.count == 1 ? name : nil
      let stem = wish ?? Identifier.made(of: String(usual.lowercased().prefix(60))) ?? "eval"
      var number = 1
      var unique = stem
      while !taken.insert(unique).inserted {
        number += 1
        unique = "\(stem)-\(number)"
      }
      var builder = OpenAIEvalsSuiteBuilder(eval, objects, name: unique)
      builder.build()
      builder.add(to: &result, &outputs)
    }
    if !outputs.isEmpty { result.outputLines = OutputRowsFile.lines(outputs) }
    return result
  }
}
