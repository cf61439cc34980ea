package import APNSModel
import ProviderToken
import SystemFiles
import TLSSession

/// Push certificates in the folder of development credentials: `client-TOPIC-KIND.pem`, `.key` and, on request, `.p12`.
extension DevelopmentCredentials {
    /// The files of a push certificate.
    package struct CertificateFiles: Hashable, Sendable {
        package let kind: CertificateKind
        package let certificate: String
        package let key: String
        /// Nil if none was requested.
        package let pkcs12: String?
        package let topics: [String]
        package let environments: [APNSEnvironment]
        /// RFC 3339.
        package let expires: String
    }

    /// Makes a push certificate and writes it into the folder. It replaces one of the same kind and topic.
    ///
    /// Only for credentials of a folder: calling it for those of ``make(at:names:)`` is a mistake in the code that stops
    /// the process.
    ///
    /// - Parameters:
    ///   - bundleID: Nil means the app of these credentials.
    ///   - passphrase: For the PKCS#12 file; nil writes none.
    package func writeCertificate(
        _ kind: CertificateKind, bundleID: String? = nil, days: Int64, passphrase: String?
    ) throws(CredentialsError) -> CertificateFiles {
        guard let folder else { preconditionFailure("credentials in memory have no folder for a certificate") }
        let topic = bundleID ?? topic.bundleID
        let base = "\(folder)/client-\(topic)-\(kind.rawValue)"
        let identity: TLSIdentity
        let files: [(ending: String, bytes: [UInt8], isPrivate: Bool)]
        do throws(TLSError) {
            identity = try certificate(kind, bundleID: bundleID, days: days)
            let archive = try passphrase.map { passphrase throws(TLSError) in
                try identity.pkcs12(passphrase: passphrase, name: "\(topic) \(kind.rawValue)")
            }
            files =
                [("pem", try identity.certificatePEM, false), ("key", try identity.privateKeyPEM, true)]
                + (archive.map { [("p12", $0, true)] } ?? [])
        } catch {
            throw CredentialsError(
                .badCredentials, "the certificate \(kind.rawValue) for \(topic) cannot be made: \(error.description)")
        }
        do throws(PrivateFolder.Failure) {
            for file in files {
                try PrivateFolder.replace(
                    base + "." + file.ending, with: file.bytes, mode: file.isPrivate ? 0o600 : 0o644)
            }
        } catch {
            throw CredentialsError(
                .cannotWrite,
                "the certificate cannot be written to \(folder): \(error); name a folder that you may write")
        }
        let facts = identity.certificate
        return CertificateFiles(
            kind: kind, certificate: base + ".pem", key: base + ".key", pkcs12: passphrase.map { _ in base + ".p12" },
            topics: facts.pushTopics, environments: facts.pushEnvironments,
            expires: TimeText.text(facts.notAfter * 1000))
    }

    /// Whether a file of the folder is a push certificate made here or by `certs/make`.
    static func isCertificate(_ name: String) -> Bool {
        name.hasPrefix("client-") && [".pem", ".key", ".p12"].contains { name.hasSuffix($0) }
    }

    /// Reads the folder, or makes it. A server certificate that lacks one of `names` is renewed in the folder.
    package static func loadOrMake(
        in folder: String, with names: [String]
    ) throws(CredentialsError) -> DevelopmentCredentials {
        let credentials = try loadOrMake(in: folder, names: names)
        return hasAll(names, credentials.server.certificate) ? credentials : try renewServer(in: folder, names: names)
    }

    /// Throws unless a server certificate can have this name.
    package static func check(name: String) throws(CredentialsError) {
        do throws(TLSError) {
            try DevelopmentAuthority.check(name: name)
        } catch {
            throw CredentialsError(.badCredentials, error.description)
        }
    }

    /// Replaces the server certificate of the folder with a new one from the same authority. Senders that trust the
    /// authority continue to work.
    ///
    /// - Parameters:
    ///   - names: More names; those of the old certificate stay.
    ///   - now: Seconds since 1970.
    package static func renewServer(
        in folder: String, names: [String] = [], at now: Int64? = nil
    ) throws(CredentialsError) -> DevelopmentCredentials {
        let now = now ?? WallClock.milliseconds / 1000
        let old = try load(from: folder)
        try old.checkAuthority(at: now)
        do {
            let server = try old.authority.server(
                names: old.server.certificate.names + names, validity: CertificateValidity(days: serverDays, from: now))
            try PrivateFolder.replace(folder + "/server.key", with: try server.privateKeyPEM, mode: 0o600)
            try PrivateFolder.replace(folder + "/server.pem", with: try server.chainPEM, mode: 0o644)
        } catch let failure as PrivateFolder.Failure {
            throw CredentialsError(
                .cannotWrite,
                "the server certificate cannot be written to \(folder): \(failure); let this user (id "
                    + "\(PrivateFolder.user)) write there")
        } catch {
            throw CredentialsError(.badCredentials, "no server certificate can be made: \(error)")
        }
        return try load(from: folder)
    }
}

extension CertificateFacts {
    /// The topics that the gateway accepts from this certificate, without duplicates.
    fileprivate var pushTopics: [String] {
        Topic.names(ofCertificate: userID, isForVoIP: isVoIP, listed: topics.map(\.topic))
    }

    fileprivate var pushEnvironments: [APNSEnvironment] {
        (allowsSandbox ? [.sandbox] : []) + (allowsProduction ? [.production] : [])
    }
}
