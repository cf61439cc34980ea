/// A step that the app cannot do.
package struct PlayFailure: Error {
    package var failure: PlayOutcome.Failure

    package init(_ error: String, _ detail: String) { failure = PlayOutcome.Failure(error, detail) }
}
