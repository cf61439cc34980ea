import APNSModel
import ProviderToken

extension DoctorCheck {
    static let teamID = DoctorCheck(
        id: "team-id", layer: .key,
        summary: "The team id has 10 characters, and is not the key id.",
        cause: "The id of the key or of an app was taken for that of the team.",
        next:
            "take the team id from the membership page of the developer account, and give it as --team-id or APNS_TEAM_ID",
        subject: \.key
    ) { key in
        guard let text = key.teamID else { return .fail("the team id is not given") }
        do throws(APNSValueError) {
            _ = try TeamID(parsing: text)
        } catch {
            return .fail(error.detail)
        }
        guard text != key.keyID ?? key.keyIDInName else {
            return .fail("the team id \(text) is the same as the key id")
        }
        guard text != key.keyIDInName else {
            return .fail(
                "the team id \(text) is the key id in the name of the file; the ids of team and key were probably exchanged",
                next: "give --key-id \(text), and as --team-id that from the membership page of the developer account")
        }
        return .pass("the team id is \(text)")
    }
}
