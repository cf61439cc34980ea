/// Keeps the state in a file that only its owner can read (mode 0600).
///
/// The file begins with a line that has the version of its form and a checksum. A new file replaces the old one in one step,
/// after it has reached the disk. A damaged file gets the end `.damaged`, in place of an earlier one, and is removed when a
/// person logs out or opts out.
public struct FilePersonalizationStorage: PersonalizationStorage {
    /// The file's path.
    public var file: String { privateFile.path }
    private let privateFile: PrivateFile

    /// - Parameter file: A path in an existing folder.
    public init(file: String) { privateFile = PrivateFile(path: file) }

    private static let word = "personalization-state"
    private static let version = 1
    static let maximumBytes = 4 << 20

    public func load() throws -> LoadedState? {
        let found: [UInt8]?
        do throws(DecisionStoreError) {
            found = try privateFile.read(maximumBytes: FilePersonalizationStorage.maximumBytes)
        } catch {
            guard error.code == .damaged else { throw FilePersonalizationStorage.failure(error) }
            return LoadedState(bytes: nil, setAside: try setAside() ?? file)
        }
        guard let found else { return nil }
        switch FilePersonalizationStorage.read(found) {
        case .body(let body): return LoadedState(bytes: body)
        case .damaged: return LoadedState(bytes: nil, setAside: try setAside() ?? file)
        case .newer:
            throw PersonalizationError(
                .storage,
                "\(file) was made by a later version of this library; update the app, or delete the file to begin anew")
        }
    }

    public func save(_ bytes: [UInt8]) throws {
        let header =
            "\(FilePersonalizationStorage.word) \(FilePersonalizationStorage.version) "
            + StableHash.hex(StableHash.of(bytes)) + "\n"
        let all = Array(header.utf8) + bytes
        // What is stored must be read again by the next process.
        guard all.count <= FilePersonalizationStorage.maximumBytes else {
            throw PersonalizationError(
                .storage,
                "the state has \(all.count) bytes, and \(file) may have \(FilePersonalizationStorage.maximumBytes); keep less "
                    + "in the configuration's texts and limits")
        }
        do throws(DecisionStoreError) {
            try privateFile.write(all)
        } catch {
            throw FilePersonalizationStorage.failure(error)
        }
    }

    public func setAside() throws -> String? {
        do throws(DecisionStoreError) {
            return try privateFile.setAside()
        } catch {
            throw FilePersonalizationStorage.failure(error)
        }
    }

    public func removeSetAside() throws {
        do throws(DecisionStoreError) {
            try privateFile.removeSetAside()
        } catch {
            throw FilePersonalizationStorage.failure(error)
        }
    }

    private enum Content { case body([UInt8]), damaged, newer }

    private static func read(_ bytes: [UInt8]) -> Content {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end < 80 else { return .damaged }
        let header = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
        guard header.count == 3, header[0] == word, let number = Int(header[1]), number > 0 else { return .damaged }
        guard number <= version else { return .newer }
        let body = Array(bytes[(end + 1)...])
        return header[2] == StableHash.hex(StableHash.of(body)) ? .body(body) : .damaged
    }

    private static func failure(_ error: DecisionStoreError) -> PersonalizationError {
        PersonalizationError(.storage, "\(error.file) \(error.detail)")
    }
}
