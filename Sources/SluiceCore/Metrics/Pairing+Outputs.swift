extension Pairing {
  /// Marks the cases whose answers may be those of the earlier prompt: the prompt differs, the answer
  /// of a file does not, and its row does not say that another prompt gave it.
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
      // A prompt that was edited under its name may be the one that rows of that name are from.
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
  /// - Parameter isAttributed: Told a trial of the candidate; true when it is known that its answer
  ///   belongs to the prompt.
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
  /// The version, as files name it.
  package var version: LoggedRun.PromptVersion {
    LoggedRun.PromptVersion(name: name, digest: digest)
  }
}
