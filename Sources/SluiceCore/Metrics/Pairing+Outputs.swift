extension Pairing {
  /// Marks the cases whose answers may belong to the earlier prompt.
  ///
  /// These are cases with the same answer from a file although the prompt differs, and whose row
  /// does not name the prompt.
  ///
  /// - Parameters:
  ///   - plan: The suite of the candidate.
  ///   - column: The candidate's column.
  ///   - earlier: The prompt of the other side.
  package mutating func markUnattributed(
    in plan: SuitePlan,
    _ column: Column,
    since earlier: LoggedRun.PromptVersion?
  ) {
    guard let outputs = plan.outputs[column.backend], let earlier,
      let prompt = plan.prompts.first(where: { $0.name == column.prompt }),
      prompt.digest != earlier.digest
    else { return }
    markUnattributed { trial in
      // Rows that name an edited prompt may belong to either version.
      prompt.name != earlier.name
        && outputs.namesPrompt(
          of: trial.caseID,
          prompt: prompt.name,
          repetition: trial.repetition
        )
    }
  }

  /// Marks the cases with the same answer on both sides.
  ///
  /// - Parameter isAttributed: Returns true for a trial of the candidate whose answer is known to
  ///   belong to the prompt.
  package mutating func markUnattributed(unless isAttributed: (Trial) -> Bool) {
    for (before, now) in zip(baseline, candidate) {
      guard let old = before.output, let new = now.output,
        old.storedDigest == new.storedDigest, unattributed.last != now.caseID, !isAttributed(now)
      else { continue }
      unattributed.append(now.caseID)
    }
  }
}

extension Prompt {
  /// The version as named in files.
  package var version: LoggedRun.PromptVersion {
    LoggedRun.PromptVersion(name: name, digest: digest)
  }
}
