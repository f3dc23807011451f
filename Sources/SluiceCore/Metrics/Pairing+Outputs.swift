extension Pairing {
  /// Marks the cases whose answers may belong to the earlier prompt.
  ///
  /// In these cases, the answer comes from a file and is unchanged although the prompt differs. The
  /// file does not show to which version of the prompt the answer belongs. The answer's row does
  /// not name a prompt, or both versions have the same name.
  ///
  /// - Parameters:
  ///   - plan: The suite of the candidate.
  ///   - column: The candidate's column.
  ///   - earlier: The prompt of the baseline.
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
      // If both versions of an edited prompt have the same name, a row that names the prompt may
      // belong to either version.
      prompt.name != earlier.name
        && outputs.namesPrompt(
          of: trial.caseID,
          prompt: prompt.name,
          repetition: trial.repetition
        )
    }
  }

  /// Marks the cases that have the same answer on both sides, unless the answer is known to belong
  /// to the candidate's prompt.
  ///
  /// - Parameter isAttributed: Returns true if the answer of a candidate's trial is known to belong
  ///   to the candidate's prompt.
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
  /// The name and the digest, which identify a version of the prompt in files.
  package var version: LoggedRun.PromptVersion {
    LoggedRun.PromptVersion(name: name, digest: digest)
  }
}
