"""What every document of the hall shares: typeface, money, attachments, the seal."""
