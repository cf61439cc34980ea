/// Keys made with the openssl command for these tests alone; no service knows them.
enum Fixtures {
    static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFHc9WnM8m1rLpSCV
        x0rtnwpzz5fwtd7dFcC+4DotQ7ehRANCAASd9+7NLufbE/uVVD5DMVmK0nnLBQjI
        RggxAOxgbJlU3Z46OEq3ZQIEXjcROWkdOXru2tG1EYLLwv033T5CboDT
        -----END PRIVATE KEY-----
        """

    /// The public half of `p256`.
    static let p256Public = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEnffuzS7n2xP7lVQ+QzFZitJ5ywUI
        yEYIMQDsYGyZVN2eOjhKt2UCBF43ETlpHTl67trRtRGCy8L9N90+Qm6A0w==
        -----END PUBLIC KEY-----
        """

    /// The same with a compressed point.
    static let p256PublicCompressed = """
        -----BEGIN PUBLIC KEY-----
        MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADnffuzS7n2xP7lVQ+QzFZitJ5ywUI
        yEYIMQDsYGyZVN0=
        -----END PUBLIC KEY-----
        """

    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIICeAIBADANBgkqhkiG9w0BAQEFAASCAmIwggJeAgEAAoGBALV3gh6Ze7hPKKog
        v7vHOUFBbZaE2bt4HuxSkhR3yY4oGGahiUSqkMfPhaKswujtiXnBrry+7NQI+7m1
        WvE304u6Hg7i+odzq27hyStzw+PwNSIiqKRfeC6f2HCsc2jGcbbryjCbdIds/mZK
        bYDW99WtcLrcEDOC/Js7eYHTwAorAgMBAAECgYEAlIWuuuq2BwDK8IuDQeZp5w3s
        6r/rEPPco2FlbFkqXy5T4lQd7FSJ0O/5mU467LfVyBCMurCtV1HO7Y0QVNNzUM1o
        E2LM6yRbac+8aCEq/XbCyo5u3IWg5p9jXc30ludZbtHTPD/U9Yx54xrv48odyBTb
        0wJLPXqT56/li+/1xRECQQDch17eiUNo1tX3w5UqNAdC4pru3jj4yLnA9tsT0dSv
        EYwvTIEUX+MVXZT2b2HJTTMcCjh9T2p5WQ6zkb/+IjU5AkEA0qeywefQV61Nphd5
        v7tseSppmyZhDTrJuN3651XCyYSSZtc9Pw49clzLjw3fUcY132Z2UFkYipC4N0LC
        DTM+gwJAF5rp3bolnAg6+P1XbyAIkvE8kkr5IDAkKfKCermgIWkobzuqKWsmHHha
        5JIBjpGT4fF6IHeqtviAaVo1iddRiQJBAIirIk+pbUMk/cavXl7lY0ftG1z8dmTV
        6kAVTI4/1sNVToKITIUXYQhMagii0GtGdHc/C62vUDu+DrZTioBz6a8CQQCUNDJn
        rdnWIC3LKgXEzS6nQi5/qrjEpTaPBMFltXt0AV6w3OkoJ8cnTwp2ruBgd17i1kbR
        CkDW3IjdSQG+Xwbr
        -----END PRIVATE KEY-----
        """

    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIE3qmp0HvZQJAFrmzpll4RJPuOaugC7G4Hqr9tvPBrBX
        -----END PRIVATE KEY-----
        """

    static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCQkld+a8rJ9/mzBTcE
        wjRUoOV5LyHSoY3ocERF5rHjnZdNdwFsgbJJQpDVO5cHIFWhZANiAATcfymLhiIX
        dHkv4qS5d2kmIit0/cNjq5Tqsc+GYh6JsuVVzNPENcRQrs7FgFaY6f5h5eNmIkwB
        i5VqRC+3XW7Rw/x3rGR7M/KyRQEWX+wwT3WmdabalIWw8hSiMBfvLYE=
        -----END PRIVATE KEY-----
        """

    static let secp256k1 = """
        -----BEGIN PRIVATE KEY-----
        MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgiM0nghZNK78Pk9tAHSS2
        Mx1B/BE7gUZ7/t+D53/hw46hRANCAATSSrGUdrGWAbjW5tXXMWyBOoldBXzWnMHl
        YaKd41/NpBheGAzCZdtWixs+k9JcdSaEkYuP2kYdxM1qEZCRv4dB
        -----END PRIVATE KEY-----
        """

    /// `p256`, PBES2, password "secret".
    static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjKeXo3FImu0gICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEGjD1hL6Aej6yHvD2oljrU4EgZCF
        7OivjHJU0YiGTazkUD2eaeHFUMrLXS4xVZeQiwegDYukCRM8DR/0s9i2gQSXT5Fg
        N0zcRNUzrLuLE/knr/HqhFzQDq8U3yZXm9ryESEIQeGDDtItWe7u8CKQeClMzLKk
        ptyMS8SAIl7d8R+1xEkgF9tgctjJWpzzSSs7d3x/jsO01AQoAPVnfqiic7OKEtc=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// `p256` in the form of RFC 5915.
    static let sec1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIBR3PVpzPJtay6UglcdK7Z8Kc8+X8LXe3RXAvuA6LUO3oAoGCCqGSM49
        AwEHoUQDQgAEnffuzS7n2xP7lVQ+QzFZitJ5ywUIyEYIMQDsYGyZVN2eOjhKt2UC
        BF43ETlpHTl67trRtRGCy8L9N90+Qm6A0w==
        -----END EC PRIVATE KEY-----
        """

    /// A certificate over `p256`.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBdjCCARugAwIBAgIUbRE6WP5uLC6s+t1iIttnHcr4+o4wCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjEwNzI0MzVaGA8yMTI2MTAyODA3MjQz
        NVowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJ33
        7s0u59sT+5VUPkMxWYrSecsFCMhGCDEA7GBsmVTdnjo4SrdlAgReNxE5aR05eu7a
        0bURgsvC/TfdPkJugNOjUzBRMB0GA1UdDgQWBBQRYpq5LJzOqIHJvpSsn1ZvYUqa
        iTAfBgNVHSMEGDAWgBQRYpq5LJzOqIHJvpSsn1ZvYUqaiTAPBgNVHRMBAf8EBTAD
        AQH/MAoGCCqGSM49BAMCA0kAMEYCIQDivPxQT04MOHxMfScCDNVBvp04ttuTKf8S
        P73zYpb07gIhAKk8BXrsi1joZI4+mo5OVUlzr88+tirHgMg3YEnLhI4q
        -----END CERTIFICATE-----
        """

    /// P-256 with its curve written out in numbers.
    static let explicitCurve = """
        -----BEGIN PRIVATE KEY-----
        MIIBeQIBADCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAAB
        AAAAAAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA
        ///////////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMV
        AMSdNgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg
        9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8A
        AAAA//////////+85vqtpxeehPO5ysL8YyVRAgEBBG0wawIBAQQg6cn7DvzSW8rn
        vBEb/ESvkKBYY/PBeJxAzpWJYBVVK9yhRANCAAQCBrD3474pGYEgDtt9gCPRQdPz
        SRpVIJGUrxa+RcjbmppKWlcDatYqm84BPoatJR10YEMNBeFDIOZIbMbd87oB
        -----END PRIVATE KEY-----
        """

    /// The private value of `p256`.
    static let privateValue: [UInt8] = hex("14773d5a733c9b5acba52095c74aed9f0a73cf97f0b5dedd15c0bee03a2d43b7")
    /// The point of `p256`, uncompressed.
    static let point: [UInt8] = hex(
        "049df7eecd2ee7db13fb95543e4331598ad279cb0508c846083100ec606c9954dd"
            + "9e3a384ab76502045e371139691d397aeedad1b51182cbc2fd37dd3e426e80d3")

    static func hex(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8).map { UInt8(String(UnicodeScalar($0)), radix: 16)! }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
