import Foundation
import RepositoryFiles

/// A collection of JSON strings, each with what a reader must make of it.
struct JSONCorpus: Sendable, CustomStringConvertible {
    enum Verdict: String, Decodable {
        case read, refuse
        /// RFC 8259 leaves the choice to the reader.
        case either
    }

    struct Vector {
        let name: String
        let bytes: [UInt8]
        let verdict: Verdict
        /// The value in the form of `CanonicalValue`; nil where the collection does not say it.
        let value: String?
    }

    let description: String
    private let load: @Sendable () throws -> [Vector]

    func vectors(_ verdict: Verdict) throws -> [Vector] {
        let vectors = try load().filter { $0.verdict == verdict }
        precondition(!vectors.isEmpty, "\(self) has nothing to \(verdict)")
        return vectors
    }

    /// The vectors of this repository, and the JSON parsing corpus where `APNS_CORPORA` names it.
    static let all = [own] + (Corpora.folder("json-parsing").map { [parsing($0)] } ?? [])

    static let own = JSONCorpus(description: "Tests/Vectors/json.ndjson") {
        struct Line: Decodable {
            let name: String
            let verdict: Verdict
            let hex: String
            let times: Int?
            let value: String?
        }
        return try Repository.text("Tests/Vectors/json.ndjson").split(separator: "\n").map { text in
            let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            let unit = bytes(ofHex: line.hex)
            let all = Array([[UInt8]](repeating: unit, count: line.times ?? 1).joined())
            return Vector(name: line.name, bytes: all, verdict: line.verdict, value: line.value)
        }
    }

    /// The first letter of a file name is its verdict: y, n or i.
    private static func parsing(_ folder: URL) -> JSONCorpus {
        JSONCorpus(description: folder.path) {
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
                .map { file in
                    let name = file.lastPathComponent
                    let verdict: Verdict = name.hasPrefix("y") ? .read : name.hasPrefix("n") ? .refuse : .either
                    return Vector(name: name, bytes: Array(try Data(contentsOf: file)), verdict: verdict, value: nil)
                }
        }
    }

    private static func bytes(ofHex hex: String) -> [UInt8] {
        let digits = hex.utf8.map(\.hexDigit)
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8 {
        self < UInt8(ascii: "a") ? self - UInt8(ascii: "0") : self - UInt8(ascii: "a") + 10
    }
}
