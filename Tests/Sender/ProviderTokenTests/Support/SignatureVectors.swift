import Foundation
import ProviderToken
import RepositoryFiles

/// A file of signatures over P-256 with SHA-256, good and malformed, in the form of Project Wycheproof.
struct SignatureVectors: Sendable, CustomStringConvertible {
    enum Form { case der, p1363 }

    struct Vector: Decodable {
        let tcId: Int
        let comment: String
        let msg: String
        let sig: String
        /// `valid`, `invalid` or `acceptable`, where either verdict is right.
        let result: String
    }

    let file: URL
    let form: Form

    var description: String { file.lastPathComponent }

    /// The vectors of this repository, and those of Project Wycheproof where `APNS_CORPORA` names them.
    static let all: [SignatureVectors] = {
        let own = Repository.url("Tests/Vectors")
        var files: [(URL, Form)] = [(own, .der), (own, .p1363)].map { folder, form in
            (folder.appendingPathComponent("ecdsa_\(form).json"), form)
        }
        if let folder = Corpora.folder("ecdsa") {
            files.append((folder.appendingPathComponent("ecdsa_secp256r1_sha256_test.json"), .der))
            files.append((folder.appendingPathComponent("ecdsa_secp256r1_sha256_p1363_test.json"), .p1363))
        }
        return files.map { SignatureVectors(file: $0, form: $1) }
    }()

    /// Every vector with its key.
    func read() throws -> [(key: VerifyingKey, vector: Vector)] {
        struct Content: Decodable {
            struct Group: Decodable {
                let publicKeyPem: String
                let tests: [Vector]
            }

            let numberOfTests: Int
            let testGroups: [Group]
        }
        let content = try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
        let vectors = try content.testGroups.flatMap { group in
            let key = try VerifyingKey(pem: group.publicKeyPem)
            return group.tests.map { (key, $0) }
        }
        precondition(
            vectors.count == content.numberOfTests, "\(file.path) says that it has \(content.numberOfTests) tests")
        return vectors
    }
}
