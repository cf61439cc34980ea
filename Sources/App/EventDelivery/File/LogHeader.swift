import Foundation

/// The first bytes of a log: a name, the version of the format, a checksum of both.
enum LogHeader: Hashable {
    case good
    /// An interrupted creation: a part of the header, or only zeros.
    case cutOff
    /// Of a later version.
    case newer
    /// Damaged, but surely the start of a log.
    case similar
    /// Something else.
    case foreign

    static let bytes = 16
    private static let name = Array("APNSEVQ\n".utf8)
    private static let version: UInt32 = 1

    static let current = header(version)

    static func header(_ version: UInt32) -> [UInt8] {
        var writer = ByteWriter(bytes: name)
        writer.put(version)
        writer.put(Checksum.crc32(writer.bytes))
        return writer.bytes
    }

    /// - Parameter start: The first bytes of a file, fewer than 16 if it is shorter.
    static func read(_ start: [UInt8]) -> LogHeader {
        if start == current { return .good }
        if start.count < bytes, current.starts(with: start) { return .cutOff }
        if start.allSatisfy({ $0 == 0 }) { return .cutOff }
        var reader = ByteReader(start.dropFirst(name.count))
        if start.starts(with: name), let found: UInt32 = reader.number(), found > version, start == header(found) {
            return .newer
        }
        let equal = zip(start, name).reduce(0) { $0 + ($1.0 == $1.1 ? 1 : 0) }
        return equal >= max(4, min(start.count, name.count) - 2) ? .similar : .foreign
    }
}

extension EventLog {
    private static let asideMark = "-aside-"

    /// Damaged files, the oldest first.
    static func asides(of path: String) -> [String] { numbers(of: path).map { path + asideMark + String($0) } }

    static func nextAside(of path: String) -> String { path + asideMark + String((numbers(of: path).last ?? 0) + 1) }

    private static func numbers(of path: String) -> [Int] {
        let url = URL(fileURLWithPath: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
        let prefix = url.lastPathComponent + asideMark
        return names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }
            .filter { $0 < .max }.sorted()
    }
}
