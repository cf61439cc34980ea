print("apns")
