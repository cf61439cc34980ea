package import APNSModel

/// One request while it is received. It can be judged once it is complete, or as soon as it is too long.
///
/// A class, so that passing it on counts one reference and not one for each string.
///
/// @unchecked: it belongs to the event loop that collects it, and does not change while it is judged.
package final class CompleteRequest: @unchecked Sendable {
    @exclusivity(unchecked)
    package private(set) var stream: Int32
    @exclusivity(unchecked)
    package private(set) var head: RequestHead
    /// When its head came, by a monotonic clock, to measure how long the answer took.
    @exclusivity(unchecked)
    package private(set) var began: MonotonicTime
    /// Whether it names another world than that of its connection, or none that can exist.
    @exclusivity(unchecked)
    package private(set) var isMisdirected: Bool
    /// At most the first `World.maximumBodyBytes`.
    @exclusivity(unchecked)
    package private(set) var body: [UInt8]
    /// How many more bytes the body had.
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

    /// Reuses the object for another request.
    package func begin(stream: Int32, head: consuming RequestHead, began: MonotonicTime, isMisdirected: Bool) {
        self.stream = stream
        self.head = head
        self.began = began
        self.isMisdirected = isMisdirected
        body = []
        omittedBytes = 0
    }

    package func append(_ bytes: UnsafeRawBufferPointer) { body.append(contentsOf: bytes) }

    /// - Parameter bodyBytes: The length of the whole body, of which not all may have been kept.
    package func end(bodyBytes: Int) { omittedBytes = bodyBytes - body.count }
}
