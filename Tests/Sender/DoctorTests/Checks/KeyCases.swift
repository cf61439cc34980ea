import ProviderToken
import TLSSession

@testable import Doctor

extension CheckCase {
    static let keys: [CheckCase] = [
        .init("credentials-given", "none", .fail, "--key AuthKey_KEYID.p8") { $0.credentials = .seen(.none) },
        .init("credentials-given", "a certificate", .pass, "push.pem") {
            $0.credentials = .seen(.certificate(path: "push.pem"))
        },
        .init("key-file", "no such file", .fail, "No such file") {
            $0.key.change { $0.unreadable = "key.p8 cannot be read: No such file or directory" }
        },
        .init("key-file", "a pipe", .pass, "can be read; it is a pipe and no regular file") {
            $0.key.change { $0.file?.special = "a pipe" }
        },
        .init("key-file", "the text in a variable", .fail, "SigningKey(environment:)") {
            $0.key.change {
                $0.isInVariable = true
                $0.source = "APNS_KEY"
            }
        },
        .init("key-mode", "readable by all", .warn, "0644: its group and all other users") {
            $0.key.change { $0.file?.mode = 0o644 }
        },
        .init("key-mode", "readable by a group", .warn, "0440: its group can") {
            $0.key.change { $0.file?.mode = 0o440 }
        },
        .init("key-mode", "of another user, readable by the group", .pass, "it has mode 0440") {
            $0.key.change {
                $0.file?.mode = 0o440
                $0.file?.isOwn = false
            }
        },
        .init("key-mode", "of another user, to be changed by the group", .warn, "0460: its group can") {
            $0.key.change {
                $0.file?.mode = 0o460
                $0.file?.isOwn = false
            }
        },
        .init("key-mode", "readable by others alone", .warn, "0604: all other users") {
            $0.key.change { $0.file?.mode = 0o604 }
        },
        .init("key-mode", "no file", .skip, "no file") { $0.key.change { $0.file = nil } },
        .init("key-form", "a byte-order mark", .warn, "byte-order mark; apns reads it") {
            $0.key.change { $0.form = KeyForm(oddities: [.byteOrderMark]) }
        },
        .init("key-form", "line ends as two characters", .warn, "write real line ends: (umask 077; awk") {
            $0.key.change { $0.form = KeyForm(oddities: [.escapedLineEnds]) }
        },
        .init("key-form", "base64", .warn, "base64 -d") {
            $0.key.change { $0.form = KeyForm(oddities: [.base64(isURL: false, missing: 0, isBody: false)]) }
        },
        .init("key-form", "UTF-16, which apns does not read", .fail, "iconv -f UTF-16BE -t UTF-8 < KEY > AuthKey.p8") {
            $0.key.change {
                $0.form = KeyForm(
                    oddities: [.utf16(encoding: "UTF-16BE")], problem: KeyError(.noKey, "x"), hasKey: true)
            }
        },
        .init("key-form", "two oddities", .warn, #"undo all of it: (umask 077; tail -c +4 < KEY | tr -d"#) {
            $0.key.change { $0.form = KeyForm(oddities: [.byteOrderMark, .quotationMarks]) }
        },
        .init("key-form", "old line ends", .warn, "has carriage returns alone where its lines end") {
            $0.key.change { $0.form = KeyForm(oddities: [.carriageReturns]) }
        },
        .init("key-form", "two keys", .warn, "is the first of 2 in the file, and apns uses no other") {
            $0.key.change { $0.form = KeyForm(oddities: [.severalKeys(count: 2)]) }
        },
        .init("key-form", "empty", .fail, "the file is empty") {
            $0.key.change { $0.form = KeyForm(problem: KeyError(.empty, "the file is empty"), hasKey: false) }
        },
        .init("key-form", "one that no command restores", .fail, "copy the .p8 file again, byte for byte") {
            $0.key.change {
                $0.form = KeyForm(oddities: [.textAround], problem: KeyError(.malformed, "x"), hasKey: false)
            }
        },
        .init("key-form", "another kind of key", .pass, "key-kind") {
            $0.key.change { $0.form = KeyForm(problem: KeyError(.rsa, "an RSA key"), hasKey: false) }
        },
        .init("key-kind", "another kind of key", .fail, "an RSA key") {
            $0.key.change { $0.form = KeyForm(problem: KeyError(.rsa, "an RSA key"), hasKey: false) }
        },
        .init("key-kind", "no key", .skip, "no key") {
            $0.key.change { $0.form = KeyForm(problem: KeyError(.noKey, "x"), hasKey: false) }
        },
        .init("key-kind", "an unreadable file", .skip, "could not be read") { $0.key.change { $0.form = nil } },
        .init("key-id", "not known", .fail, "APNS_KEY_ID") {
            $0.key.change {
                $0.keyID = nil
                $0.keyIDInName = nil
            }
        },
        .init("key-id", "from the name alone", .pass, "ABC123DEFG") { $0.key.change { $0.keyID = nil } },
        .init("key-id", "lower case", .fail, "10 characters out of 0-9 and A-Z") {
            $0.key.change { $0.keyID = "abc123defg" }
        },
        .init("key-id", "another one than in the name", .warn, "named after ABC123DEFG") {
            $0.key.change { $0.keyID = "XYZ123DEFG" }
        },
        .init("team-id", "absent", .fail, "is not given") { $0.key.change { $0.teamID = nil } },
        .init("team-id", "too short", .fail, "9 characters") { $0.key.change { $0.teamID = "DEF123GHI" } },
        .init("team-id", "that of the key", .fail, "same as the key id") { $0.key.change { $0.teamID = "ABC123DEFG" } },
        .init("team-id", "exchanged with the key id", .fail, "probably exchanged\ngive --key-id ABC123DEFG") {
            $0.key.change {
                $0.keyID = "DEF123GHIJ"
                $0.teamID = "ABC123DEFG"
            }
        },
        .init("provider-token", "OpenSSL fails", .fail, "FIPS mode") {
            $0.providerToken = .seen(ProviderTokenEvidence(failure: "OpenSSL could not sign; check FIPS mode"))
        },
        .init("provider-token", "a wrong signature", .fail, "does not accept the signature") {
            $0.providerToken = .seen(ProviderTokenEvidence(isSound: false))
        },
        .init("provider-token", "not kept", .warn, "wait 20 minutes") {
            $0.providerToken = .seen(ProviderTokenEvidence(notKept: "/x: Permission denied"))
        },
        .init("provider-token", "one that others could read", .pass, "not private: its file had the mode 0644") {
            $0.providerToken = .seen(ProviderTokenEvidence(exposed: "its file had the mode 0644"))
        },
        .init("provider-token", "an earlier one", .pass, "of 40 s ago is used again") {
            $0.providerToken = .seen(ProviderTokenEvidence(age: 40, isKept: true))
        },
    ]

    static let certificates: [CheckCase] = [
        .init("certificate-form", "not a pair", .fail, "does not belong") {
            $0.certificate.change { $0.failure = "the private key does not belong to the certificate" }
        },
        .init("certificate-form", "readable by all", .warn, "0644") { $0.certificate.change { $0.file?.mode = 0o644 } },
        .init("certificate-dates", "expired", .fail, "expired at 2027-") {
            $0.certificate.change { $0.now += 400 * 86_400 }
        },
        .init("certificate-dates", "ends in a week", .warn, "expires at") {
            $0.certificate.change { $0.now += 293 * 86_400 }
        },
        .init("certificate-dates", "not valid yet", .fail, "check the clock") {
            $0.certificate.change { $0.now -= 86_400 }
        },
        .init("certificate-dates", "an unreadable file", .skip, "could not be read") {
            $0.certificate.change { $0.facts = nil }
        },
        .init("certificate-environment", "sandbox alone", .fail, "it is for sandbox, and the destination is production")
        {
            $0.certificate.change { $0.facts?.extensionOIDs.removeAll { $0.hasSuffix(".6.3.2") } }
        },
        .init("certificate-environment", "no push certificate", .fail, "neither extension") {
            $0.certificate.change { $0.facts?.extensionOIDs = [] }
        },
        .init("certificate-environment", "a gateway", .skip, "is not known") {
            $0.destination = Destination(host: "gateway.example.com", port: 443)
        },
    ]
}
