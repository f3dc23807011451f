import TestSupport
import Foundation
import Sluice
import Testing

@Suite("The command line")
struct CommandLineTests {
  @Test("--version prints the version and exits with 0")
  func version() async throws {
    let folder = try ScratchProject()
    let outcome = try await folder.program("--version")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output == "\(Version.current)\n")
    #expect(Version.current.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
    #expect(outcome.error == "")
  }

  @Test("--version --verbose lists libraries with versions and licenses, and the certificates")
  func verboseVersion() async throws {
    let folder = try ScratchProject()
    var sluice = folder.sluice
    sluice.environment = ["SSL_CERT_FILE": "/ca.pem", "SSL_CERT_DIR": "/one:/two"]
    for arguments in [["--version", "--verbose"], ["--verbose", "--version"]] {
      let outcome = try await sluice.run(arguments)
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      // The versions depend on the machine.
      let text = outcome.output.replacing(#/\ [0-9]+(\.[0-9]+)+[a-z]?\ +/#, with: " # ")
        .replacing(#/\ {2,}/#, with: " ")
      #expect(
        text.hasPrefix(
          """
          sluice \(Version.current)

          Parts
           curl # curl
          """
        )
      )
      for part in ["libyaml # MIT", "PCRE2 # BSD-3-Clause", "zlib # Zlib"] {
        #expect(text.contains("\n \(part)\n"))
      }
      #expect(text.contains("\n swift-argument-parser Apache-2.0 WITH Swift-exception\n"))
      #expect(text.hasSuffix("\n\nTrusted certificates\n /ca.pem\n /one:/two\n"))
    }
  }

  @Test(
    "An invalid command line exits with 64, never with the code of a failed gate",
    arguments: [
      ["valdate"], ["run", "--no-such-flag"], ["run", "--concurrency", "many"],
      ["run", "--concurrency", "0"], ["run", "--inconclusive", "maybe"], ["record", "--prompt"],
    ]
  )
  func wrongCommandLine(arguments: [String]) async throws {
    let project = try ScratchProject()
    let outcome: CommandLineRunner.Outcome
    switch arguments.count {
    case 1: outcome = try await project.program(arguments[0])
    case 2: outcome = try await project.program(arguments[0], arguments[1])
    default: outcome = try await project.program(arguments[0], arguments[1], arguments[2])
    }
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    #expect(outcome.error.contains("sluice --help") || outcome.error.contains("Usage: sluice"))
  }

  @Test(
    "Outside a project, a command suggests how to create one",
    arguments: ["run", "record", "validate"]
  )
  func outsideOfProject(command: String) async throws {
    let folder = try ScratchProject()
    let outcome = try await folder.program(command)
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: no sluice.yaml in this folder or in a folder above it
          fix: run sluice inside a project, or create one:
          sluice init

        """
    )
  }

  @Test("In a promptfoo folder, a command suggests the import that creates a project")
  func folderOfPromptfoo() async throws {
    let folder = try ScratchProject()
    try folder.write("prompts: [hello]\n", to: "promptfooconfig.yaml")
    let outcome = try await folder.program("run")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: no sluice.yaml in this folder or in a folder above it
          promptfooconfig.yaml is a promptfoo configuration
          fix: import it as a project in this folder:
          sluice import promptfoo promptfooconfig.yaml

        """
    )
    #expect(try await folder.program("import", "promptfoo", "promptfooconfig.yaml").exitCode == 0)
    #expect(try await folder.program("validate").exitCode == 0)
  }

  @Test("For a promptfoo configuration in JavaScript, a command says where each part belongs")
  func folderOfProgram() async throws {
    let folder = try ScratchProject()
    try folder.write("module.exports = {}\n", to: "promptfooconfig.js")
    let outcome = try await folder.program("run")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: no sluice.yaml in this folder or in a folder above it
          promptfooconfig.js is a promptfoo configuration written as a program, which Sluice does not run. Move its parts by hand:
            prompts              prompts/NAME/v1.yaml; {{variables}} stay as they are
            providers            'backends:' in sluice.yaml, one named by 'backend:' of prompts/NAME/suite.yaml
            tests, vars          datasets/NAME/cases.yaml: a case with an 'id' for each test, its vars under 'input:'
            assert               'assert:' of the case: '- type: contains' with 'value:' stays as it is
            defaultTest.assert   'scorers:' of prompts/NAME/suite.yaml; they judge every case
          fix: write it as YAML and import that (docs/promptfoo.md), or create a new project:
          sluice init

        """
    )
    #expect(try await folder.program("init").exitCode == 0)
    #expect(try await folder.program("run").exitCode == 0)
  }

  @Test(
    "A command that cannot write its result exits with 70, whatever the verdict",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [
      ["run"], ["validate"], ["plan"], ["recordings", "status"], ["--help"], ["run", "--help"],
      ["--version"], ["--version", "--verbose"],
    ]
  )
  func fullDisk(_ arguments: [String]) async throws {
    let project = try ScratchProject()
    #expect(try await project.program("init").exitCode == 0)
    var sluice = project.program
    sluice.launcher = ["sh", "-c", "exec \"$@\" > /dev/full", "sh"]
    let outcome = try await sluice.run(arguments)
    #expect(outcome.exitCode == 70)
    #expect(
      outcome.error
        == "sluice: error: cannot write to standard output: No space left on device\n"
    )
    if arguments == ["run"] {
      let report = project.folder.appending(path: "reports/latest/report.md").path
      #expect(FileManager.default.fileExists(atPath: report))
    }
  }

  @Test("A project is found from any folder inside it, and paths are relative to that folder")
  func insideOfFolder() async throws {
    let project = try ScratchProject.ofDemo()
    var sluice = project.program
    sluice.folder = project.folder.appending(path: "prompts/clarity")
    let tried = try await sluice("run", "clarity", "--prompt", "without-conversation.yaml")
    #expect(tried.exitCode == 1)
    #expect(tried.output.contains("\nReports: ../../reports/latest/report.html, "))
    #expect(
      tried.output.hasSuffix(
        "\n  sluice show clarity-any-chance-before-demo --suite clarity "
          + "--prompt without-conversation.yaml\n"
      )
    )
    let wrong = try await sluice("run", "clarity", "--prompt", "without-conversations.yaml")
    #expect(wrong.exitCode == 64)
    #expect(
      wrong.error == """
        command line: error: file not found: prompts/clarity/without-conversations.yaml
          fix: did you mean 'prompts/clarity/without-conversation.yaml'?
        1 error

        """
    )
  }

  @Test("validate counts suites, cases and known outputs, and writes no file")
  func validate() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.program("validate")
    #expect(outcome.exitCode == 0)
    let duplicates =
      "; 2 of 20 cases of datasets/tone/cases.yaml (10.0%) have a near-duplicate outside their "
      + "cluster"
    #expect(outcome.output == "4 suites, 84 cases: no errors, 1 warning\(duplicates)\n")
    try project.edit(
      "datasets/clarity/cases.yaml",
      replacing: "- id: TEST-2.5\n",
      with: "- id: TEST-2.5\n  bad: [no JSON at all, 1]\n"
    )
    let tried = try await project.program("validate")
    #expect(
      tried.output == "4 suites, 84 cases, 2 known outputs: no errors, 1 warning\(duplicates)\n"
    )
    let reports = project.folder.appending(path: "reports").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: reports) == ["baselines"])
  }

  @Test("validate counts the warnings that it prints")
  func validateWithWarning() async throws {
    let project = try ScratchProject()
    #expect(try await project.program("init").exitCode == 0)
    try project.edit(
      "prompts/mailbox/suite.yaml",
      replacing: "accuracy >= 75%",
      with: "accuracy >= 90% at 95% confidence"
    )
    let outcome = try await project.program("validate")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error.hasSuffix("1 warning\n"))
    #expect(outcome.output == "1 suite, 16 cases: no errors, 1 warning\n")
  }

  @Test("run shows a mix only if all its suites ran, and the mix changes no exit code")
  func mix() async throws {
    let project = try ScratchProject.ofDemo()
    try project.edit(
      "sluice.yaml",
      replacing: "prices: ",
      with: "mixes: {day: {calls: {clarity: 40, tone: 2}, goals: [requests < 42]}}\nprices: "
    )
    let part = try await project.program("run", "clarity")
    #expect(!part.output.contains("day  mix"))
    let outcome = try await project.program("run", "clarity", "tone")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.contains(
        """

        Mix day: 40 clarity, 2 tone: 42 requests
        """
      )
    )
    #expect(outcome.output.contains("\n  – requests < 42  42, 0 over\n"))
    #expect(try project.read("reports/latest/report.json").contains("\"requests\": 42"))
  }

  @Test("All errors in all files are reported before anything runs, with exit code 64")
  func faults() async throws {
    let project = try ScratchProject.ofDemo()
    try project.edit("prompts/tone/suite.yaml", replacing: "scorers:", with: "scorer:")
    try project.edit(
      "prompts/category/suite.yaml",
      replacing: "accuracy >= 80%",
      with: "acuracy >= 70%"
    )
    try project.edit(
      "datasets/clarity/cases.yaml",
      replacing: "- id: TEST-2.5\n",
      with: "- id: TEST-2.4\n"
    )
    let outcome = try await project.program("run")
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    let heads = outcome.error.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(heads.count == 3)
    #expect(outcome.error.contains("unknown key 'scorer' in a suite"))
    #expect(outcome.error.contains("fix: did you mean 'scorers'?"))
    #expect(outcome.error.contains("no scorer of the suite produces the metric 'acuracy'"))
    #expect(outcome.error.contains("duplicate case id 'TEST-2.4', first on line"))
    #expect(outcome.error.hasSuffix("3 errors\n"))
    let reports = project.folder.appending(path: "reports").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: reports) == ["baselines"])
  }
}
