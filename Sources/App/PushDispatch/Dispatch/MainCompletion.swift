/// A completion handler of the system on its way to the main thread.
///
/// Unchecked, because it is called on the main thread alone.
struct MainCompletion<Result>: @unchecked Sendable {
    let call: (Result) -> Void
}
