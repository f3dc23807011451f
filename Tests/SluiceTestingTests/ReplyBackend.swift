import Sluice

/// A backend that answers with the reply feature of an app.
struct ReplyBackend: ModelBackend {
  /// Returns a draft for a message.
  let draft: @Sendable (String) async throws -> String

  func answer(_ request: ModelRequest) async throws(BackendError) -> ModelResponse {
    let message = request.body["input"]?["message"]?.string ?? ""
    do {
      return ModelResponse(text: try await draft(message))
    } catch let error as BackendError {
      throw error
    } catch is CancellationError {
      throw BackendError(.cancelled, "the request was cancelled")
    } catch {
      throw BackendError(.serverError, "the reply feature failed")
    }
  }
}
