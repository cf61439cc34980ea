package import APNSModel

/// One request, from its head on; it can be judged once it has come in whole, or is too long whatever else comes.
///
/// An object, so that its texts are counted once and not wherever it is handed on.
///
/// @unchecked: it belongs to the event loop that collects it, and nothing changes while it is judged.
package final class CompleteRequest: @unchecked Sendable {
    @exclusivity(unchecked)
    package private(set) var stream: Int32
    @exclusivity(unchecked)
    package private(set) var head: RequestHead
    /// When its head came, on a clock of the shell's, for how long the answer took.
    @exclusivity(unchecked)
    package private(set) var began: MonotonicTime
    /// Whether it names another world than the one that its connection belongs to, or none that can be.
    @exclusivity(unchecked)
    package private(set) var isMisdirected: Bool
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

    /// Becomes another request, once nobody needs this one any more.
    package func begin(stream: Int32, head: consuming RequestHead, began: MonotonicTime, isMisdirected: Bool) {
        self.stream = stream
        self.head = head
        self.began = began
        self.isMisdirected = isMisdirected
        body = []
        omittedBytes = 0
    }

    package func append(_ bytes: UnsafeRawBufferPointer) { body.append(contentsOf: bytes) }

    /// - Parameter bodyBytes: How long the body is, also where not all of it was kept.
    package func end(bodyBytes: Int) { omittedBytes = bodyBytes - body.count }
}
