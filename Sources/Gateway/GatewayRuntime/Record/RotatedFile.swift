import SystemFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file of lines that is replaced by a new one at a certain size. The former ones are PATH.1, PATH.2 and so on, the newest
/// first.
struct RotatedFile {
    let path: String
    private let maximumBytes: Int
    private let files: Int
    private var file: LineFile?
    private var bytes: Int
    /// How many bytes of a partial line at its end were cut off when it was opened.
    let repairedBytes: Int
    /// How often another program has renamed or removed the file, so that a new one was begun.
    private(set) var replacements = 0
    /// Whether it was renamed or removed, and no new file is open yet.
    private var isReplaced = false

    init(path: String, maximumBytes: Int, files: Int) throws(LineFile.Failure) {
        self.path = path
        self.maximumBytes = maximumBytes
        self.files = files
        let opened = try LineFile(path: path)
        file = opened
        bytes = opened.size ?? 0
        repairedBytes = opened.repairedBytes
    }

    /// Appends lines, each with its line feed. A file is not begun with less than one line, however long that is. Where another
    /// program has renamed or removed the file, they go to a new one.
    mutating func append(_ lines: [[UInt8]]) throws(LineFile.Failure) {
        if file?.isAtItsPath == false {
            isReplaced = true
            try open()
        }
        var waiting: [UInt8] = []
        for line in lines {
            if bytes + waiting.count + line.count > maximumBytes, bytes + waiting.count > 0 {
                try write(waiting)
                waiting = []
                try rotate()
            }
            waiting += line
        }
        try write(waiting)
    }

    private mutating func write(_ lines: [UInt8]) throws(LineFile.Failure) {
        guard !lines.isEmpty else { return }
        if file == nil { try open() }
        try file?.append(lines)
        if file?.size != nil { bytes += lines.count }
    }

    private mutating func open() throws(LineFile.Failure) {
        file = nil
        let opened = try LineFile(path: path)
        file = opened
        bytes = opened.size ?? 0
        if isReplaced { replacements += 1 }
        isReplaced = false
    }

    /// Only a regular file is rotated.
    private mutating func rotate() throws(LineFile.Failure) {
        guard file?.size != nil else { return }
        // The new file is opened only after the old one has another name.
        file = nil
        if files == 1 {
            unlink(path)
        } else {
            for number in stride(from: files - 2, through: 0, by: -1) {
                let source = number == 0 ? path : "\(path).\(number)"
                guard rename(source, "\(path).\(number + 1)") == 0 || errno == ENOENT else {
                    let reason = String(cString: strerror(errno))
                    throw LineFile.Failure(
                        description: "\(source) cannot be renamed to \(path).\(number + 1): \(reason)")
                }
            }
        }
        try open()
    }
}
