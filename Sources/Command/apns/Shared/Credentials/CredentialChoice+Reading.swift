import APNSModel
import APNSProvider
import ProviderToken

extension CredentialChoice {
    /// The largest file of a certificate or key, in bytes. Real ones are far smaller.
    static let maximumFileBytes = 1024 * 1024

    /// Reads the files of the credentials, and returns the configuration of a provider that uses them.
    ///
    /// - Parameter gateway: Nil is the choice's own.
    func configuration(for gateway: APNSGateway? = nil) throws(CommandError) -> ProviderConfiguration {
        let credentials: ProviderConfiguration.Credentials
        switch identity {
        case .token(let keyPath, let keyID, let teamID):
            let signing = try CredentialChoice.signing(keyPath: keyPath, keyID: keyID, teamID: teamID)
            credentials = .token(key: signing.key, keyID: signing.keyID, teamID: signing.teamID)
        case .certificate(let path, let keyPath):
            credentials = try CredentialChoice.certificate(path: path, keyPath: keyPath)
        }
        var configuration = ProviderConfiguration(gateway: gateway ?? self.gateway, credentials: credentials)
        configuration.proxy = proxy
        do throws(ProviderConfigurationError) {
            try configuration.checkProxy()
        } catch {
            throw CommandError(error.detail)
        }
        if let caPath {
            configuration.trust = .authorities(
                pem: try CredentialChoice.read(caPath, "the authorities (--ca) that the gateway is verified with"))
        }
        return configuration
    }

    /// The key and the two ids that a provider token is made of.
    static func signing(
        keyPath: String, keyID: String?, teamID: String?
    ) throws(CommandError) -> (key: SigningKey, keyID: KeyID, teamID: TeamID) {
        let key = try signingKey(path: keyPath)
        guard let keyID else {
            throw CommandError(
                "the id of the key \(keyPath) is not known: give --key-id, set APNS_KEY_ID, or name the file "
                    + "AuthKey_KEYID.p8")
        }
        guard let teamID else {
            throw CommandError("the team of the key \(keyPath) is not known: give --team-id or set APNS_TEAM_ID")
        }
        return (key, try identifier(keyID, KeyID.init, "key id"), try identifier(teamID, TeamID.init, "team id"))
    }

    static func signingKey(path: String) throws(CommandError) -> SigningKey {
        let file = try read(path, "the signing key (--key), the .p8 file of an APNs key")
        do throws(KeyError) {
            return try SigningKey(content: file)
        } catch {
            throw CommandError("the key \(path) cannot be used: \(error.detail)")
        }
    }

    private static func certificate(
        path: String, keyPath: String?
    ) throws(CommandError) -> ProviderConfiguration.Credentials {
        let file = try read(path, "the client certificate (--certificate)")
        let passphrase = System.environment(CredentialVariable.passphraseName)
        guard file.firstRange(of: Array("-----BEGIN".utf8)) != nil else {
            guard keyPath == nil else {
                throw CommandError(
                    "\(path) is not a PEM file, and a PKCS#12 file contains its key: leave out --certificate-key",
                    .badArguments)
            }
            return .pkcs12(file, passphrase: passphrase)
        }
        let key = try keyPath.map { path throws(CommandError) in
            try read(path, "the key of the certificate (--certificate-key)")
        }
        return .certificate(pem: file, key: key ?? file, passphrase: passphrase)
    }

    private static func identifier<ID>(
        _ text: String, _ make: (String) -> ID?, _ name: String
    ) throws(CommandError) -> ID {
        guard let id = make(text) else {
            throw CommandError(
                "the \(name) \"\(PlainText.safe(ShownText.cut(text, to: 40)))\" must be 10 characters of 0-9 and A-Z",
                .badArguments
            )
        }
        return id
    }

    /// Refuses the text of a key or certificate where the path of its file belongs.
    static func checkPath(_ value: String?, _ name: String) throws(CommandError) {
        guard let value, KeyMaterial.isIn(value) else { return }
        throw CommandError(
            "\(name) takes the path of a file, and this is the text of a key or certificate; store it in a file with mode "
                + "0600 and give its path", .badArguments)
    }

    /// - Parameter purpose: What the file should be, for the message when it cannot be read.
    static func read(_ path: String, _ purpose: String) throws(CommandError) -> [UInt8] {
        try checkPath(path, "the path")
        do throws(FileError) {
            return try InputFile.bytes(of: path, limit: maximumFileBytes)
        } catch {
            throw CommandError("\(error); it should be \(purpose)")
        }
    }
}
