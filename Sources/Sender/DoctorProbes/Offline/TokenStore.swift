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

    /// A kept token that may still be sent, or a new one, which is kept. One that others could read is not sent again.
    func token(
        key: SigningKey, keyID: KeyID, teamID: TeamID, now: Int64
    ) throws(KeyError) -> (token: SignedToken, evidence: ProviderTokenEvidence) {
        let path = folder.map { "\($0)/\(keyID)-\(teamID)\(TokenStore.suffix)" }
        let exposure = path.flatMap { self.exposure(of: $0) }
        if let path, exposure == nil, let kept = try? PrivateFolder.read(path, maximum: TokenStore.maximumBytes),
            let age = KeptToken.age(kept, keyID: keyID, teamID: teamID, key: key.publicKey, now: now)
        {
            let token = SignedToken(String(decoding: kept, as: UTF8.self))
            return (token, ProviderTokenEvidence(age: age, isKept: true))
        }
        let token = try SignedToken(keyID: keyID, teamID: teamID, issuedAt: now, key: key)
        let age = KeptToken.age(Array(token.text.utf8), keyID: keyID, teamID: teamID, key: key.publicKey, now: now)
        var evidence = ProviderTokenEvidence(isSound: age == 0, exposed: exposure)
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

    /// Who else can read or change a kept token; nil where nobody can, and where there is none.
    private func exposure(of path: String) -> String? {
        guard let folder, let file = FileFacts(path: path), let place = FileFacts(path: folder) else { return nil }
        if file.mode & 0o077 != 0 { return "its file had the mode \(file.modeText)" }
        return place.mode & 0o022 != 0 ? "its folder had the mode \(place.modeText)" : nil
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
