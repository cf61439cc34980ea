package import APNSModel

/// One request, from its head on; it can be judged once it has come in whole, or is too long whatever else comes.
///
/// An object, so that its texts are counted once and not wherever it is handed on.
///
/// @unchecked: the body belongs to the event loop that collects it, and nothing changes any more once it is judged.
package final class CompleteRequest: @unchecked Sendable {
    package let stream: Int32
    package let head: RequestHead
    /// When its head came, on a clock of the shell's, for how long the answer took.
    package let began: MonotonicTime
    /// Whether it names another world than the one that its connection belongs to, or none that can be.
    package let isMisdirected: Bool
    /// At most `World.maximumBodyBytes` of it.
    @exclusivity(unchecked)
    package private(set) var body: [UInt8]
    /// How many more came.
    @exclusivity(unchecked)
    package private(set) var omittedBytes = 0

    package init(
        stream: Int32, head: consuming RequestHead, body: consuming [UInt8] = [], began: MonotonicTime = .zero,
        isMisdirected: Bool = false
    ) {
        self.stream = stream
        self.head = head
        self.began = began
        self.isMisdirected = isMisdirected
        self.body = body
    }

    package func append(_ bytes: UnsafeRawBufferPointer) { body.append(contentsOf: bytes) }

    /// - Parameter bodyBytes: How long the body is, also where not all of it was kept.
    package func end(bodyBytes: Int) { omittedBytes = bodyBytes - body.count }
}
