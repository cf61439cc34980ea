/// The source of notifications: a whole file, or one line of a stream.
public struct SourceText: Hashable, Sendable {
    /// The name for reports. Its ending determines the format.
    public var name: String
    public var bytes: [UInt8]
    /// The number of the first line in the file, counted from 1.
    public var firstLine: Int
    /// How many bytes of the file are left out before `bytes`: a byte order mark.
    package var skippedBytes = 0

    public init(name: String, bytes: [UInt8], firstLine: Int = 1) {
        self.name = name
        self.bytes = bytes
        self.firstLine = firstLine
    }

    /// Whether each line is a separate notification, by the ending of the name.
    public var isLines: Bool { SourceText.hasLines(name) }

    /// Whether each line of a file with this name is a separate notification.
    public static func hasLines(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl")
    }

    /// Whether it is a simulator file, by the ending of the name.
    package var isSimulatorFile: Bool { name.lowercased().hasSuffix(".apns") }

    /// The lines that are not blank, without their line ends.
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
