/// JSON that was converted from text in another format, with the place of each value in that text. So a reader of JSON
/// can read it, and its messages have the lines of the file.
package struct PlacedJSON {
    private struct Place {
        let offset: Int
        let line: Int
        let column: Int
    }

    package var bytes: [UInt8] = []
    /// In the order of their offsets.
    private var places: [Place] = []

    package init() {}

    /// Records the place of the value or key that is appended to `bytes` next.
    ///
    /// - Parameters:
    ///   - line: Counted from 1.
    ///   - column: Counted from 1.
    package mutating func beginValue(line: Int, column: Int) {
        places.append(Place(offset: bytes.count, line: line, column: column))
    }

    /// The line and column in the original text of the value or key at `offset` of the JSON, both counted from 1.
    package func place(of offset: Int) -> (line: Int, column: Int) {
        let place = places.last { $0.offset <= offset } ?? places.first
        return (place?.line ?? 1, place?.column ?? 1)
    }
}
