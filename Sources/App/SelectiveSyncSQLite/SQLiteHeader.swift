import DatabaseFiles
import Foundation

/// The first 100 bytes of a database file of this library.
///
/// Source: SQLite, "Database File Format", section 1.3.
enum SQLiteHeader {
    private static let count = 100
    private static let pageBytes = 4_096

    /// Copies the file and its log, with a correct header.
    ///
    /// - Returns: False if that fails, for example because the disk is full.
    static func repair(_ files: DatabaseFiles, into copy: String) -> Bool {
        do {
            DatabaseFiles.remove(copy)
            try files.makePrivate(copy)
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
            defer { try? handle.close() }
            let old = try FileHandle(forReadingFrom: URL(fileURLWithPath: files.main))
            defer { try? old.close() }
            while let part = try old.read(upToCount: 1 << 20), !part.isEmpty { try handle.write(contentsOf: part) }
            // SQLite reads the log only if the file has a first page.
            if try handle.offset() < pageBytes { try handle.truncate(atOffset: UInt64(pageBytes)) }
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: Data(header))
            if DatabaseFiles.exists(files.log) {
                try FileManager.default.copyItem(atPath: files.log, toPath: copy + "-wal")
            }
            return true
        } catch {
            return false
        }
    }

    private static var header: [UInt8] {
        var bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: count - 16)
        func put(_ value: UInt32, at offset: Int) {
            for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(index))) }
        }
        bytes[16] = UInt8(pageBytes >> 8)
        // The format versions of a file with a write-ahead log.
        bytes[18] = 2
        bytes[19] = 2
        // Payload fractions, which have fixed values.
        bytes[21] = 64
        bytes[22] = 32
        bytes[23] = 32
        // The change counter differs from the one that the page count is valid for, so SQLite uses the length of the file.
        put(1, at: 24)
        put(4, at: 44)
        // UTF-8.
        put(1, at: 56)
        put(UInt32(bitPattern: Schema.applicationID), at: 68)
        return bytes
    }
}
