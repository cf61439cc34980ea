/// An array in chunks.
///
/// A world is copied for an export, and the first change afterwards happens under the world's lock: it copies one chunk, not
/// every element.
struct ChunkedArray<Element: Sendable>: Sendable, RandomAccessCollection {
    private static var bits: Int { 8 }
    static var chunkSize: Int { 1 << bits }

    /// All but the last are full.
    private(set) var chunks: [[Element]] = []
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    @inline(__always)
    subscript(index: Int) -> Element {
        _read { yield chunks[index >> Self.bits][index & (Self.chunkSize - 1)] }
        _modify { yield &chunks[index >> Self.bits][index & (Self.chunkSize - 1)] }
    }

    /// Reads an element where it is. The subscript copies an element that is given to a function.
    ///
    /// - Parameter index: Checked in debug builds only.
    @inline(__always)
    func read<Result>(_ index: Int, _ body: (borrowing Element) -> Result) -> Result {
        assert(index >= 0 && index < count)
        return chunks.withUnsafeBufferPointer { chunks in
            chunks.baseAddress![index >> Self.bits].withUnsafeBufferPointer {
                body($0.baseAddress![index & (Self.chunkSize - 1)])
            }
        }
    }

    /// Changes an element. Several accesses by the subscript would each ask whether its chunk is shared.
    @inline(__always)
    mutating func change<Result>(_ index: Int, _ body: (inout Element) -> Result) -> Result {
        body(&chunks[index >> Self.bits][index & (Self.chunkSize - 1)])
    }

    mutating func append(_ element: Element) {
        if count % Self.chunkSize == 0 { chunks.append([]) }
        chunks[count >> Self.bits].append(element)
        count += 1
    }

    mutating func removeAll() { (chunks, count) = ([], 0) }
}
