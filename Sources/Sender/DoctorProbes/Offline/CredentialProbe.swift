import Doctor
import ProviderToken
import SystemFiles
import TLSSession

/// Reads the credentials of a run.
enum CredentialProbe {
    /// A file of a key or certificate is far smaller.
    private static let maximumBytes = 1 << 20

    /// Reads the key, and what the system says about its file.
    ///
    /// - Parameter limit: How long the end of the file is waited for.
    static func key(
        _ source: ExaminationSettings.KeySource, keyID: String?, teamID: String?, within limit: Duration
    ) -> (evidence: KeyEvidence, key: SigningKey?) {
        switch source {
        case .variable(let name, let text):
            let (form, key) = KeyForm.read(Array(text.utf8))
            return (KeyEvidence(source: name, isInVariable: true, form: form, keyID: keyID, teamID: teamID), key)
        case .file(let path):
            var evidence = KeyEvidence(
                source: path, keyID: keyID, teamID: teamID, keyIDInName: KeyID.inName(of: path)?.value)
            do throws(PrivateFolder.Failure) {
                let bytes = try PrivateFolder.read(path, maximum: maximumBytes, within: limit)
                evidence.file = FileFacts(path: path)
                let (form, key) = KeyForm.read(bytes)
                evidence.form = form
                return (evidence, key)
            } catch {
                evidence.unreadable = unreadable(path, error, within: limit)
                return (evidence, nil)
            }
        }
    }

    private static func unreadable(_ path: String, _ failure: PrivateFolder.Failure, within limit: Duration) -> String {
        guard failure.isLate else { return "\(path) cannot be read: \(failure)" }
        let kind = FileFacts(path: path)?.special.map { "\($0) and no regular file" } ?? "a file that is read slowly"
        return "\(path) is \(kind), and its end did not come within \(limit.components.seconds) s"
    }

    /// - Parameter limit: How long the end of each file is waited for.
    static func certificate(
        path: String, keyPath: String?, passphrase: String?, now: Int64, within limit: Duration
    ) -> (evidence: CertificateEvidence, identity: TLSIdentity?) {
        var evidence = CertificateEvidence(path: path, file: FileFacts(path: keyPath ?? path), now: now)
        let file: [UInt8]
        let keyFile: [UInt8]
        do throws(PrivateFolder.Failure) {
            file = try PrivateFolder.read(path, maximum: maximumBytes, within: limit)
        } catch {
            evidence.failure = unreadable(path, error, within: limit)
            return (evidence, nil)
        }
        do throws(PrivateFolder.Failure) {
            keyFile =
                try keyPath.map { path throws(PrivateFolder.Failure) in
                    try PrivateFolder.read(path, maximum: maximumBytes, within: limit)
                } ?? file
        } catch {
            evidence.failure = unreadable(keyPath ?? path, error, within: limit)
            return (evidence, nil)
        }
        do throws(TLSError) {
            let isPEM = file.firstRange(of: Array("-----BEGIN".utf8)) != nil
            let identity =
                isPEM
                ? try TLSIdentity(pem: file, key: keyFile, passphrase: passphrase)
                : try TLSIdentity(pkcs12: file, passphrase: passphrase)
            evidence.facts = identity.certificate
            return (evidence, identity)
        } catch {
            evidence.failure = "\(path): \(error.detail)"
            return (evidence, nil)
        }
    }
}
