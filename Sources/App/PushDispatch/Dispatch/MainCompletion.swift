/// A completion handler of the system, to call on the main thread.
///
/// Unchecked, because it is called only on the main thread.
struct MainCompletion<Result>: @unchecked Sendable {
    let call: (Result) -> Void
}
