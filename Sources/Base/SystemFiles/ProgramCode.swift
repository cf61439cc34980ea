#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The code of this program and its libraries, as it is mapped from their files.
package enum ProgramCode {
    /// Takes the code out of the resident memory of this process. What runs from now on is mapped again as it is used, from the
    /// system's cache of files.
    ///
    /// The start of a program maps much code that never runs again, and with each page those beside it in the file. A mapping
    /// in which something was written, as by a debugger that sets breakpoints, stays. Does nothing on other systems than
    /// Linux.
    ///
    /// - Returns: How many mappings were taken out.
    @discardableResult
    package static func release() -> Int {
        #if os(Linux)
            let maps = String(decoding: bytes(of: "/proc/self/smaps"), as: UTF8.self)
            var released = 0
            for code in ranges(inMaps: maps) {
                let start = UnsafeMutableRawPointer(bitPattern: code.lowerBound)
                if madvise(start, code.count, MADV_DONTNEED) == 0 { released += 1 }
            }
            return released
        #else
            return 0
        #endif
    }

    /// The addresses of code that is mapped from a file, cannot be written and is as it is in the file.
    ///
    /// - Parameter text: What `/proc/PID/smaps` has.
    static func ranges(inMaps text: String) -> [Range<UInt>] {
        var found: [Range<UInt>] = []
        var current: Range<UInt>?
        // How many of the two lines say that nothing was written: written pages are anonymous, or in the swap.
        var unwritten = 0
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let first = fields.first else { continue }
            if let mapping = addresses(first) {
                // A path begins with a slash; other mappings have a name in brackets, or none.
                let isCode = fields.count > 5 && fields[1] == "r-xp" && fields[5].hasPrefix("/")
                (current, unwritten) = (isCode ? mapping : nil, 0)
            } else if let mapping = current, first == "Anonymous:" || first == "Swap:" {
                unwritten += fields.count > 1 && fields[1] == "0" ? 1 : 0
                if unwritten == 2 {
                    found.append(mapping)
                    current = nil
                }
            }
        }
        return found
    }

    /// The addresses at the beginning of a mapping's first line; nil for the other lines.
    private static func addresses(_ field: Substring) -> Range<UInt>? {
        let ends = field.split(separator: "-").map { UInt($0, radix: 16) }
        guard ends.count == 2, let start = ends[0], let end = ends[1], start < end else { return nil }
        return start..<end
    }

    #if os(Linux)
        /// Empty for a file that cannot be read.
        private static func bytes(of path: String) -> [UInt8] {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return [] }
            defer { close(file) }
            var all: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(file, &part, part.count)
                guard count > 0 else { return all }
                all += part[..<count]
            }
        }
    #endif
}
