import APNSModel
import ProviderToken

extension DoctorCheck {
    static let keyID = DoctorCheck(
        id: "key-id", layer: .key,
        summary: "The key id has 10 characters, and is the one in the name of the file.",
        cause: "The key was replaced and its id was not, or the ids of team and key were exchanged.",
        next: "take the 10 characters in the name of the downloaded file, AuthKey_KEYID.p8",
        subject: \.key
    ) { key in
        guard let text = key.keyID ?? key.keyIDInName else {
            return .fail(
                "the key id is not known: it is not given, and \(key.source) is not named AuthKey_KEYID.p8",
                next: "give --key-id or set APNS_KEY_ID")
        }
        do throws(APNSValueError) {
            _ = try KeyID(parsing: text)
        } catch {
            return .fail(error.detail)
        }
        guard let name = key.keyIDInName, name != text else { return .pass("the key id is \(text)") }
        return .warn("the key id is \(text), and the file is named after \(name); one of them is of another key")
    }
}
