/// A text that notifications are read from: a whole file, or one line of a stream.
public struct SourceText: Hashable, Sendable {
    /// How reports name it; its ending says what is in it.
    public var name: String
    public var bytes: [UInt8]
    /// The number of the text's first line in the file, counted from 1.
    public var firstLine: Int

    public init(name: String, bytes: [UInt8], firstLine: Int = 1) {
        self.name = name
        self.bytes = bytes
        self.firstLine = firstLine
    }

    /// Whether the name says that every line is a notification of its own.
    public var isLines: Bool { SourceText.hasLines(name) }

    /// The same for a file that is read piece by piece.
    public static func hasLines(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl")
    }

    /// Whether the name says that it is a file for the simulator.
    package var isSimulatorFile: Bool { name.lowercased().hasSuffix(".apns") }

    /// The lines that hold more than white space, each a text of its own without its line end.
    public var lines: [SourceText] {
        var lines: [SourceText] = []
        for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        {
            let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard !text.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { continue }
            lines.append(SourceText(name: name, bytes: Array(text), firstLine: firstLine + number))
        }
        return lines
    }
}
