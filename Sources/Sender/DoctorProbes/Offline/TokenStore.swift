import Doctor
import ProviderToken
import SystemFiles

/// Keeps the provider token of a key in a private file for 20 minutes, so that runs which follow each other send the same one.
struct TokenStore {
    /// Nil keeps nothing.
    let folder: String?

    /// A provider token has about 240 bytes.
    private static let maximumBytes = 4096
    private static let suffix = ".token"

    /// A kept token that may still be sent, or a new one, which is kept.
    func token(
        key: SigningKey, keyID: KeyID, teamID: TeamID, now: Int64
    ) throws(KeyError) -> (token: SignedToken, evidence: ProviderTokenEvidence) {
        let path = folder.map { "\($0)/\(keyID)-\(teamID)\(TokenStore.suffix)" }
        if let path, let kept = try? PrivateFolder.read(path, maximum: TokenStore.maximumBytes),
            let age = KeptToken.age(kept, keyID: keyID, teamID: teamID, key: key.publicKey, now: now)
        {
            let token = SignedToken(String(decoding: kept, as: UTF8.self))
            return (token, ProviderTokenEvidence(age: age, isKept: true))
        }
        let token = try SignedToken(keyID: keyID, teamID: teamID, issuedAt: now, key: key)
        let age = KeptToken.age(Array(token.text.utf8), keyID: keyID, teamID: teamID, key: key.publicKey, now: now)
        var evidence = ProviderTokenEvidence(isSound: age == 0)
        guard let folder, let path else {
            evidence.notKept = "no folder is known: HOME and XDG_STATE_HOME are not set"
            return (token, evidence)
        }
        do throws(PrivateFolder.Failure) {
            try PrivateFolder.makeOwn(folder)
            removeOld(in: folder, now: now)
            try PrivateFolder.replace(path, with: Array(token.text.utf8), mode: 0o600)
        } catch {
            evidence.notKept = "\(folder): \(error)"
        }
        return (token, evidence)
    }

    /// Removes tokens that are not sent again.
    private func removeOld(in folder: String, now: Int64) {
        for name in PrivateFolder.names(in: folder) where name.hasSuffix(TokenStore.suffix) {
            let path = "\(folder)/\(name)"
            let kept = (try? PrivateFolder.read(path, maximum: TokenStore.maximumBytes)) ?? []
            let issued = (try? ParsedToken(compact: kept, strictness: .strict))?.issuedAt ?? .min
            if issued <= now - KeptToken.useTime { PrivateFolder.remove(file: path) }
        }
    }
}
